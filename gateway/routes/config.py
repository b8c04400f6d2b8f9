"""Which snakes there are, and which strategy plays a game: the routes file, checked, and the draw of arms.

All of it is a pure function of the file and the game, so that any number of gateways agree without memory.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Annotated

import msgspec

from gateway.bodies import Turn
from gateway.routes import toml
from gateway.routes.toml import FieldError
from gateway.searchers.plan import OWN, Limits, Plan
from gateway.searchers.translate import RULESETS, parse_strategy

DEFAULT_PATH = "/"
RESERVED = frozenset({"/start", "/move", "/end", "/healthz", "/readyz", "/metrics", "/experiments"})
"""Paths that no snake can have."""

# Checked by the structs themselves: msgspec's own patterns crash at the end of the process now and then, when
# structs that share them are related (msgspec 0.22, issue 717).
_TARGET = re.compile(r"[!-~]+")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PATH = re.compile(rf"/({_NAME.pattern})?")
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")

Share = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
EvaluatorWeight = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
Range = tuple[Annotated[int, msgspec.Meta(ge=0)], Annotated[int, msgspec.Meta(ge=0)]]
"""From and to, both included."""


class _Play(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How to search, as far as it is said here. Several searchers split the root moves."""

    searcher: str | list[str] | None = None
    strategy: str | None = None
    evaluator_weights: dict[str, EvaluatorWeight] | None = None
    limits: Limits | None = None

    def __post_init__(self) -> None:
        if self.strategy is not None:
            _check_strategy(self.strategy)
        targets = [self.searcher] if isinstance(self.searcher, str) else self.searcher
        for target in targets or ():
            _check_form("searcher", target, _TARGET, "a gRPC target like dns:///searcher:50051")
        if targets is not None and len(set(targets)) != max(len(targets), 1):
            raise FieldError("searcher", "must be one or more targets, each of them once")


class When(_Play, frozen=True, kw_only=True):
    """A condition on a position, and what is searched differently where it holds.

    What is not given holds always. `snakes` counts the living; sizes are in cells.
    """

    rulesets: list[str] | None = None
    maps: list[str] | None = None
    snakes: Range | None = None
    width: Range | None = None
    height: Range | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for index, name in enumerate(self.rulesets or ()):
            if name not in RULESETS:
                raise FieldError(
                    f"rulesets[{index}]", f"{name!r} is no ruleset; valid: {', '.join(sorted(RULESETS))}"
                )
        for field in ("snakes", "width", "height"):
            asked: Range | None = getattr(self, field)
            if asked and asked[0] > asked[1]:
                raise FieldError(field, f"from {asked[0]} to {asked[1]} is empty")

    def holds(self, turn: Turn) -> bool:
        """Whether the position meets every condition."""
        board = turn.board
        return (
            (self.rulesets is None or turn.game.ruleset.name in self.rulesets)
            and (self.maps is None or turn.game.map in self.maps)
            and _lies_in(len(board.snakes), self.snakes)
            and _lies_in(board.width, self.width)
            and _lies_in(board.height, self.height)
        )


class Variant(_Play, frozen=True, kw_only=True):
    """A named way to play every position: the first condition in `when` that holds, else its own fields."""

    name: str
    when: list[When] = []

    def __post_init__(self) -> None:
        super().__post_init__()
        # It is also the value of a header and the label of a metric.
        _check_form("name", self.name, _NAME, "a name of letters, digits, '.', '_' and '-'")

    def plan(self, turn: Turn) -> Plan:
        """How this position is searched."""
        return self._plan(next((case for case in self.when if case.holds(turn)), self))

    def plans(self) -> Iterator[Plan]:
        """Every plan that a position may get."""
        return map(self._plan, (self, *self.when))

    def _plan(self, case: _Play) -> Plan:
        searcher = self.searcher if case.searcher is None else case.searcher
        # Weights belong to an evaluator: another strategy doesn't inherit them.
        inherits = case.strategy is None and case.evaluator_weights is None
        strategy = self.strategy if case.strategy is None else case.strategy
        return Plan(
            arm=self.name,
            strategy=strategy or "",
            evaluator_weights=(self if inherits else case).evaluator_weights or {},
            searchers=tuple(searcher) if isinstance(searcher, list) else (searcher or OWN,),
            limits=case.limits or self.limits or Limits(),
        )


class Arm(Variant, frozen=True, kw_only=True):
    """A variant that plays its share of the games: its weight by the sum of all weights."""

    weight: Share = 1.0


class Snake(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A snake at a URL path: its looks, its arms, and shadows whose answers are only recorded.

    `experiment` names the draw: snakes of one experiment, in one game and with one id, get the same arm.
    """

    path: str
    name: str = ""
    color: str = "#2f6f4e"
    head: str = "smart-caterpillar"
    tail: str = "weight"
    author: str = "battlesnake-search"
    experiment: str = ""
    arms: Annotated[list[Arm], msgspec.Meta(min_length=1)]
    shadows: list[Variant] = []

    def __post_init__(self) -> None:
        _check_form("path", self.path, _PATH, "/ or / and a name, like /hydra")
        _check_form("color", self.color, _COLOR, "a colour like #2f6f4e")
        if self.path in RESERVED:
            raise FieldError("path", f"{self.path} is a path of the gateway's own")
        variants = (("arms", self.arms), ("shadows", self.shadows))
        _check_unique((f"{kind}[{i}].name", one.name) for kind, all in variants for i, one in enumerate(all))
        if not sum(arm.weight for arm in self.arms):
            raise FieldError("arms", "the sum of their weights is 0; at least one must be above")

    @property
    def draw(self) -> str:
        """The experiment's name; where none is given, the snake's path without its slash, or "default"."""
        return self.experiment or self.path.strip("/") or "default"

    def arm_for(self, game_id: str, snake_id: str) -> Arm:
        """The arm that plays this snake in this game, from its first turn to its last, in every gateway."""
        if len(self.arms) == 1:
            return self.arms[0]
        # By name, so that the order in the file doesn't matter.
        arms = sorted((arm for arm in self.arms if arm.weight), key=lambda arm: arm.name)
        ends = list(accumulate(arm.weight for arm in arms))
        point = uniform(self.draw, game_id, snake_id) * ends[-1]
        return next((arm for arm, end in zip(arms, ends, strict=True) if point < end), arms[-1])


class Choice(msgspec.Struct, frozen=True):
    """What was decided for a snake of a game: `snake` has the experiment, `arm` the strategy.

    `forced`: the request asked for the arm, so that no draw gave it.
    """

    snake: Snake
    arm: Arm
    forced: bool = False


class Routes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All snakes. `arm_header`: whether a request may name its arm in the header X-Battlesnake-Arm."""

    arm_header: bool = True
    snakes: list[Snake] = []

    def __post_init__(self) -> None:
        _check_unique((f"snakes[{index}].path", snake.path) for index, snake in enumerate(self.snakes))

    def snake(self, path: str) -> Snake | None:
        """The snake at a path, from its slash on."""
        return next((snake for snake in self.snakes if snake.path == path), None)

    @property
    def default(self) -> Snake:
        """The snake at /; `load` sees to it that there is one."""
        return next(snake for snake in self.snakes if snake.path == DEFAULT_PATH)

    def choose(self, snake: Snake, turn: Turn, asked: str = "") -> Choice:
        """The arm that plays the turn's game: the one asked for by name if that is allowed and exists."""
        for arm in snake.arms:
            if self.arm_header and arm.name == asked:
                return Choice(snake, arm, forced=True)
        return Choice(snake, snake.arm_for(turn.game.id, turn.you.id))

    def plans(self) -> Iterator[Plan]:
        """Every plan that a position of any snake may get."""
        for snake in self.snakes:
            for variant in (*snake.arms, *snake.shadows):
                yield from variant.plans()


def load(file: Path | None, strategy: str) -> Routes:
    """The routes of a file, or none, with a snake at / that plays the strategy if the file has none there.

    Raises OSError, and TomlError with the line and the field that is wrong.
    """
    routes = toml.decode(file.read_bytes(), Routes) if file else Routes()
    if routes.snake(DEFAULT_PATH):
        return routes
    default = Snake(path=DEFAULT_PATH, arms=[Arm(name="default", strategy=strategy or None)])
    return msgspec.structs.replace(routes, snakes=[*routes.snakes, default])


def uniform(*names: str) -> float:
    """A number from 0 to below 1 that only depends on the names, as evenly spread as a hash is."""
    digest = hashlib.blake2b("\0".join(names).encode(), digest_size=8).digest()
    # A float holds 53 bits; rounding the other 11 could give 1.
    return (int.from_bytes(digest) >> 11) / 2**53


def _lies_in(value: int, asked: Range | None) -> bool:
    return asked is None or asked[0] <= value <= asked[1]


def _check_form(field: str, text: str, form: re.Pattern[str], what: str) -> None:
    if not form.fullmatch(text):
        raise FieldError(field, f"{text!r} is not {what}")


def _check_strategy(strategy: str) -> None:
    try:
        parse_strategy(strategy)
    except ValueError as error:
        raise FieldError("strategy", str(error)) from error


def _check_unique(names: Iterable[tuple[str, str]]) -> None:
    """Of fields and the names in them, none may repeat a name."""
    seen: dict[str, str] = {}
    for field, name in names:
        if name in seen:
            raise FieldError(field, f"{name!r} is taken by {seen[name]}")
        seen[name] = field
