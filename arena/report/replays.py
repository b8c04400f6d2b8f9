"""Games in the viewer's form: the list of a match's games, and each game, played again by the engine.

The viewer only looks up frames, so it needs no rules. Frame t is the board before the decisions of turn t,
and the last frame is the board after the last turn.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import msgspec

from arena.games.boards import direction_of, hazards_on_board, replayed
from arena.records import Block, Cell, Decision, Game, RecordedDeath, Rules, Setup
from arena.report.wording import result_text, side_colour, winner
from battlesnake_search import viewer
from battlesnake_search.common.cli import counted
from battlesnake_search.common.types import Json
from searcher.engine.position import Position, Ruleset, Snake
from searcher.engine.rules.records import STEPS

_SCORE_DIGITS = 3
_NEARLY_DECIDED = 0.999
_MILLISECOND_DIGITS = 1


class ReplayDeath(msgspec.Struct, frozen=True):
    """The end of a snake. `frame` is the first frame without the snake. Its head moved to the cell `at`."""

    frame: int
    cause: str
    by: int | None
    at: Cell


class Track(msgspec.Struct, frozen=True):
    """A snake throughout a game. Lists by frame end at its death, and lists by turn at its last decision.

    `trail` has the cells of the first body, tail first, then each cell that the head moved to. In frame t the
    body lies on the last `kept[t]` of the first `kept[0] + t` cells, and folded parts repeat the tail up to
    `length[t]`. A cell is the number y * width + x. In a frame of `restarts` the map has put the snake
    elsewhere, so the trail gets all `kept[t]` cells of its new body instead of one cell.
    """

    seat: int
    trail: list[int]
    kept: list[int]
    restarts: list[int]
    length: list[int]
    health: list[int]
    death: ReplayDeath | None
    moves: str
    """A letter of u, d, l, r by turn."""
    milliseconds: list[float]
    depth: list[int]
    nodes: list[int]
    scores: list[float | None]
    faults: dict[int, str]
    """The faults by turn."""
    pvs: list[str]
    """The principal variation by turn: for each of its turns a letter for each snake, without separators."""


class Replay(msgspec.Struct, frozen=True):
    """A game. `turns` is the number of its turns. `first_turn` is the turn of the first frame."""

    turns: int
    first_turn: int
    looks: list[tuple[str, str, str, str]]
    """The name, colour, head and tail of each snake, empty if the arena gave it none; or an empty list."""
    ending: str
    void: str | None
    snakes: list[Track]
    food: list[tuple[int, int, int]]
    """For each piece: (cell, its first frame, the first frame without it)."""
    hazards: list[tuple[int, list[tuple[int, int]]]]
    """(first frame, [(cell, layers)]), valid until the next entry."""


def packed_replays(rules: Rules, block: Block) -> str:
    """Return the replays of a block's games as JSON, deflated (zlib), in base64.

    Raises ValueError, naming block and game, if a record contradicts the rules.
    """
    replays = []
    for number, game in enumerate(block.games, 1):
        try:
            replays.append(replay_of(rules, game))
        except ValueError as error:
            raise ValueError(f"block {block.number}, game {number}: {error}") from None
    return viewer.packed(msgspec.json.encode(replays))


def replay_of(rules: Rules, game: Game) -> Replay:
    """Play a game again. Raises ValueError if its record contradicts the rules."""
    _check_on_board(rules, game)
    frames = _frames(rules, game)
    return Replay(
        turns=len(game.turns),
        first_turn=game.start.turn,
        looks=[(each.name, each.color, each.head, each.tail) for each in game.looks],
        ending=game.ending,
        void=game.void,
        snakes=[_track(rules, game, lived, snake) for snake, lived in enumerate(frames.snakes)],
        food=_food(rules, frames.positions),
        hazards=_hazards(rules, frames.positions),
    )


def _check_on_board(rules: Rules, game: Game) -> None:
    """Raise ValueError if food or a body is off the board, because the engine does not check that."""
    starts = [game.start, *(turn.restart for turn in game.turns if turn.restart)]
    cells = [cells for start in starts for cells in (*start.bodies, start.food)]
    for x, y in chain(*cells, *(turn.food for turn in game.turns)):
        if not (0 <= x < rules.width and 0 <= y < rules.height):
            raise ValueError(f"({x}, {y}) is off the {rules.width}x{rules.height} board")


@dataclass(frozen=True)
class _Frames:
    """A game played again: its positions by frame, and each snake by the frames in which it is alive."""

    positions: list[Position]
    snakes: list[list[Snake]]


def _frames(rules: Rules, game: Game) -> _Frames:
    positions = list(replayed(rules, game))
    snakes: list[list[Snake]] = [[] for _ in game.seats]
    for position in positions:
        for snake in position.snakes:
            snakes[int(snake.id)].append(snake)
    return _Frames(positions, snakes)


def _track(rules: Rules, game: Game, lived: Sequence[Snake], snake: int) -> Track:
    death = game.deaths[snake]
    _check_life(game, snake, len(lived), death)
    decisions = _decisions(game, snake, death)
    restarts = [frame for frame, turn in enumerate(game.turns[: len(lived) - 1], 1) if turn.restart]
    return Track(
        seat=game.seats[snake],
        trail=[_cell(rules, point) for point in _trail(lived, restarts)],
        kept=[len(set(each.body)) for each in lived],
        restarts=restarts,
        length=[len(each.body) for each in lived],
        health=[each.health for each in lived],
        death=None if death is None else _replay_death(rules, death, decisions[-1], lived[-1].body[0]),
        **_decision_fields(decisions),
    )


def _trail(lived: Sequence[Snake], restarts: Sequence[int]) -> Iterator[Cell]:
    """Yield the cells of the first body and of each restart, tail first, and of the head in other frames."""
    for frame, snake in enumerate(lived):
        if frame == 0 or frame in restarts:
            yield from reversed(dict.fromkeys(snake.body))
        else:
            yield snake.body[0]


def _check_life(game: Game, snake: int, frames_by_rules: int, death: RecordedDeath | None) -> None:
    """Raise ValueError if rules and record disagree about the end of a snake."""
    frames_by_record = len(game.turns) + 1 if death is None else death.turn + 1
    if frames_by_rules != frames_by_record:
        record, rules = (_end_text(game, frames) for frames in (frames_by_record, frames_by_rules))
        raise ValueError(f"snake {snake} {record} in the record, but {rules} by the rules")


def _end_text(game: Game, frames: int) -> str:
    return f"dies in turn {frames - 1}" if frames <= len(game.turns) else "lives to the end"


def _decisions(game: Game, snake: int, death: RecordedDeath | None) -> list[Decision]:
    """Return a snake's decisions, turn by turn. Raises ValueError if they don't match its life."""
    turns = len(game.turns) if death is None else death.turn + 1
    decisions = [turn.decisions[snake] for turn in game.turns]
    found = [decision for decision in decisions[:turns] if decision is not None]
    if len(found) != turns or any(decisions[turns:]):
        raise ValueError(
            f"snake {snake} lives for {turns} turns but does not have a decision in exactly these turns"
        )
    return found


def _decision_fields(decisions: list[Decision]) -> Json:
    """Return the fields of a track that come from a snake's decisions, by turn."""
    return {
        "moves": "".join(decision.move[0] for decision in decisions),
        "milliseconds": [round(decision.milliseconds, _MILLISECOND_DIGITS) for decision in decisions],
        "depth": [decision.depth for decision in decisions],
        "nodes": [decision.nodes for decision in decisions],
        "scores": [_rounded(decision.score) for decision in decisions],
        "faults": {turn: decision.fault for turn, decision in enumerate(decisions) if decision.fault},
        "pvs": ["".join(decision.pv) for decision in decisions],
    }


def _rounded(score: float | None) -> float | None:
    """Round a score, but never to -1 or 1 unless it is, because that would look decided."""
    return score if score is None or abs(score) > _NEARLY_DECIDED else round(score, _SCORE_DIGITS)


def _replay_death(rules: Rules, death: RecordedDeath, decision: Decision, last: Cell) -> ReplayDeath:
    step = STEPS[direction_of(decision.move)]
    x, y = last[0] + step[0], last[1] + step[1]
    if Ruleset(rules.ruleset).wrapped:
        x, y = x % rules.width, y % rules.height
    return ReplayDeath(death.turn + 1, death.cause, death.by, (x, y))


def _food(rules: Rules, positions: Sequence[Position]) -> list[tuple[int, int, int]]:
    """Return each piece of food with its first frame and the first frame without it."""
    since: dict[int, int] = {}
    pieces = []
    before: tuple[Cell, ...] | None = None
    for frame, position in enumerate(positions):
        if position.food != before:
            lying = {_cell(rules, point) for point in position.food}
            gone = [cell for cell in since if cell not in lying]
            pieces += [(cell, since.pop(cell), frame) for cell in gone]
            since |= {cell: frame for cell in sorted(lying) if cell not in since}
        before = position.food
    return pieces + [(cell, frame, len(positions)) for cell, frame in since.items()]


def _hazards(rules: Rules, positions: Sequence[Position]) -> list[tuple[int, list[tuple[int, int]]]]:
    """Return the layers of the hazards on the board, for each frame in which they change."""
    hazards = [hazards_on_board(position, position.hazards) for position in positions]
    changes = [frame for frame, each in enumerate(hazards) if frame == 0 or each != hazards[frame - 1]]
    return [
        (frame, sorted((_cell(rules, point), layers) for point, layers in Counter(hazards[frame]).items()))
        for frame in changes
    ]


def _cell(rules: Rules, point: Cell) -> int:
    return point[1] * rules.width + point[0]


def match_entry(setup: Setup) -> Json:
    """Return the common parts of all games: names, colours, board, and the filters as value and text."""
    rules = setup.rules
    return {
        "names": [entrant.name for entrant in setup.entrants],
        "colours": [side_colour(entrant) for entrant in range(len(setup.entrants))],
        "match": {
            "width": rules.width,
            "height": rules.height,
            "ruleset": rules.ruleset,
            "map": rules.map,
        },
        "filters": _filters(setup),
    }


def game_entry(setup: Setup, key: str, game: Game) -> Json:
    """Return a game for the viewer's list of games. `kinds` are the filters that the game passes."""
    result, faults = result_text(setup, game), _faults(game)
    kinds = ["all"]
    if game.void:
        kinds.append("void")
    elif setup.snakes > 1:
        won = winner(setup, game)
        kinds.append("draw" if won is None else f"won-{won}")
    if faults:
        kinds.append("fault")
    parts = [key, result, counted(len(game.turns), "turn"), counted(faults, "fault") if faults else ""]
    return {
        "key": key,
        "kinds": kinds,
        "text": " · ".join(filter(None, parts)),
        "ending": f"{result} ({game.ending})",
        "first": game.start.turn,
    }


def _filters(setup: Setup) -> list[tuple[str, str]]:
    wins = [(f"won-{index}", f"{entrant.name} won") for index, entrant in enumerate(setup.entrants)]
    results = [*wins, ("draw", "draws")] if setup.snakes > 1 else []
    return [("all", "all games"), *results, ("fault", "games with faults"), ("void", "void games")]


def _faults(game: Game) -> int:
    decisions = chain.from_iterable(turn.decisions for turn in game.turns)
    return sum(decision is not None and decision.fault is not None for decision in decisions)
