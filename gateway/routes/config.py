"""The validated routes file, and the snake at an address. `gateway.routes.draw` draws its arm."""

import hashlib
import hmac
import re
from collections.abc import Iterator
from typing import Annotated

import msgspec

from battlesnake_search.board import Turn
from battlesnake_search.common.sockets import check_target
from battlesnake_search.common.toml import FieldError
from battlesnake_search.contract.rulesets import RULESETS
from battlesnake_search.plan import AUTO, OWN, Limits, Plan
from battlesnake_search.translate import parse_strategy
from gateway.routes.looks import Looks, check_form, check_text, check_unique

DEFAULT_PATH = "/"
"""The path of the default snake."""

# The structs check these themselves: with msgspec's own patterns the process sometimes crashes on exit, if
# related structs share them (msgspec 0.22, issue 717).
_TARGET = re.compile(r"[!-~]+")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PATH = re.compile(rf"/({_NAME.pattern})?")

_DIGITS = 16
"""Of the digest of an arm's setup."""

EvaluatorWeight = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
Range = tuple[Annotated[int, msgspec.Meta(ge=0)], Annotated[int, msgspec.Meta(ge=0)]]
"""First and last, both included."""


class Play(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of a search. A field of None is not specified here. Several searchers split the root moves.

    `weights_file` is relative to the routes file; `load` puts its weights into `evaluator_weights`.
    """

    searcher: str | list[str] | None = None
    strategy: str | None = None
    evaluator_weights: dict[str, EvaluatorWeight] | None = None
    weights_file: str | None = None
    limits: Limits | None = None

    def __post_init__(self) -> None:
        if self.strategy is not None:
            _check_strategy(self.strategy)
        targets = [self.searcher] if isinstance(self.searcher, str) else self.searcher
        for target in targets or ():
            check_form("searcher", target, _TARGET, "a gRPC target like dns:///searcher:50051")
            try:
                check_target(target)
            except ValueError as error:
                raise FieldError("searcher", str(error)) from None
        if targets is not None and len(set(targets)) != max(len(targets), 1):
            raise FieldError("searcher", "must be one or more different targets")


class When(Play, frozen=True, kw_only=True):
    """A condition on a position, and the fields that change if it holds.

    A condition of None always holds. `snakes` counts the living snakes; sizes are in cells.
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
                    f"rulesets[{index}]", f"{name!r} is not a ruleset; valid: {', '.join(sorted(RULESETS))}"
                )
        for field in ("snakes", "width", "height"):
            allowed: Range | None = getattr(self, field)
            if allowed and allowed[0] > allowed[1]:
                raise FieldError(field, f"from {allowed[0]} to {allowed[1]} is empty")

    def holds(self, turn: Turn) -> bool:
        """Return whether the position meets the whole condition."""
        board = turn.board
        return (
            (self.rulesets is None or turn.game.ruleset.name in self.rulesets)
            and (self.maps is None or turn.game.map in self.maps)
            and _is_in(len(board.snakes), self.snakes)
            and _is_in(board.width, self.width)
            and _is_in(board.height, self.height)
        )


class Variant(Play, frozen=True, kw_only=True):
    """A named way to play. Of the conditions in `when`, the first one that holds chooses the strategy.

    If none holds, the variant's own fields choose it.
    """

    name: str
    when: list[When] = []

    def __post_init__(self) -> None:
        super().__post_init__()
        # The name is also the value of a header and the label of a metric.
        check_text("name", self.name)
        check_form("name", self.name, _NAME, "a name of letters, digits, '.', '_' and '-'")
        for number, plan in enumerate(self.plans(), -1):
            if plan.strategy == AUTO and plan.evaluator_weights:
                field = "evaluator_weights" if number < 0 else f"when[{number}].evaluator_weights"
                raise FieldError(field, f"{AUTO} has no weights: it chooses the evaluator")

    def plan(self, turn: Turn) -> Plan:
        """Return the plan for this position."""
        return self._plan(next((case for case in self.when if case.holds(turn)), self))

    def plans(self) -> Iterator[Plan]:
        """Return every plan that a position may get."""
        return map(self._plan, (self, *self.when))

    def _plan(self, case: Play) -> Plan:
        searcher = self.searcher if case.searcher is None else case.searcher
        # Weights belong to an evaluator, so another strategy does not inherit them.
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
    """A variant that plays a share of the games: its weight divided by the sum of all weights.

    Experiments compare the other arms with the `control`.
    """

    weight: Share = 1.0
    control: bool = False

    @property
    def setup(self) -> str:
        """A digest of the arm's strategies, weights, limits and conditions.

        It leaves out the name, the share of the games and the searchers, because they don't change the play.
        """
        replace = msgspec.structs.replace
        cases = [replace(case, searcher=None) for case in self.when]
        player = replace(self, name="arm", weight=1.0, control=False, searcher=None, when=cases)
        return hashlib.sha256(msgspec.json.encode(player, order="deterministic")).hexdigest()[:_DIGITS]


class SnakeRoute(Looks, frozen=True, kw_only=True):
    """A snake at a URL path: its appearance, its arms, and its shadows, whose answers are only recorded.

    `experiment` names the draw: in one game, snakes with the same experiment and id get the same arm.
    """

    path: str
    experiment: str = ""
    arms: Annotated[list[Arm], msgspec.Meta(min_length=1)]
    shadows: list[Variant] = msgspec.field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        # The path is also the name of the experiment if it has no other one.
        check_text("path", self.path)
        check_text("experiment", self.experiment)
        check_form("path", self.path, _PATH, "/ or / and a name, like /hydra")
        variants = (("arms", self.arms), ("shadows", self.shadows))
        check_unique((f"{kind}[{i}].name", one.name) for kind, all in variants for i, one in enumerate(all))
        if not sum(arm.weight for arm in self.arms):
            raise FieldError("arms", "the sum of their weights is 0; at least one weight must be above 0")
        marked = [f"arms[{index}].control" for index, arm in enumerate(self.arms) if arm.control]
        if len(marked) > 1:
            raise FieldError(marked[1], f"only one arm can be the control, and {marked[0]} is set already")

    @property
    def address(self) -> str:
        """The path at which the snake answers, with its token. Logs and pages must not show it."""
        return f"/{'-'.join(filter(None, (self.path.strip('/'), self.token)))}"

    @property
    def experiment_name(self) -> str:
        """The experiment's name. By default it is the snake's path without its slash, or "default"."""
        return self.experiment or self.path.strip("/") or "default"

    @property
    def drawn(self) -> list[Arm]:
        """The arms that play a share of the games."""
        return [arm for arm in self.arms if arm.weight]

    @property
    def control(self) -> Arm:
        """The drawn arm that is marked as the control; without a mark, the first drawn arm."""
        return next((arm for arm in self.drawn if arm.control), self.drawn[0])

    @property
    def shares(self) -> dict[str, float]:
        """The share of the games that each drawn arm plays, by its name."""
        total = sum(arm.weight for arm in self.arms)
        return {arm.name: arm.weight / total for arm in self.drawn}


class Routes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All snakes. `arm_header`: whether a request may name its arm in the header X-Battlesnake-Arm.

    None: it may if its snake has a token, because other clients do not know the token.
    """

    arm_header: bool | None = None
    snakes: list[SnakeRoute] = []

    def __post_init__(self) -> None:
        check_unique((f"snakes[{index}].path", snake.path) for index, snake in enumerate(self.snakes))
        addresses = [snake.address for snake in self.snakes]
        if len(set(addresses)) < len(addresses):
            raise FieldError("snakes", "two of them have the same path with its token")

    def at(self, address: str) -> SnakeRoute | None:
        """Return the snake at an address; None without a snake.

        The time does not depend on the length of a token's correct part.
        """
        given = address.encode(errors="replace")
        found = [snake for snake in self.snakes if hmac.compare_digest(snake.address.encode(), given)]
        return found[0] if found else None

    def snake(self, path: str) -> SnakeRoute | None:
        """Return the snake at a path, with its leading slash; None without a snake."""
        return next((snake for snake in self.snakes if snake.path == path), None)

    @property
    def default(self) -> SnakeRoute:
        """The snake at /; `load` ensures that there is one."""
        return next(snake for snake in self.snakes if snake.path == DEFAULT_PATH)

    def plans(self) -> Iterator[Plan]:
        """Yield every plan that a position of any snake may get."""
        for snake in self.snakes:
            for variant in (*snake.arms, *snake.shadows):
                yield from variant.plans()


def default_snake(strategy: str, looks: Looks | None) -> SnakeRoute:
    """Return the snake at / of a gateway without such a snake in its routes file."""
    arms = [Arm(name="default", strategy=strategy or None)]
    return SnakeRoute(path=DEFAULT_PATH, arms=arms, **msgspec.structs.asdict(looks or Looks()))


def _is_in(value: int, allowed: Range | None) -> bool:
    return allowed is None or allowed[0] <= value <= allowed[1]


def _check_strategy(strategy: str) -> None:
    try:
        parse_strategy(strategy)
    except ValueError as error:
        raise FieldError("strategy", str(error)) from error
