"""Games as the page's viewer reads them: played again by the engine, and told without rules.

What the viewer shows of a frame it looks up. A frame is a board; frame t stands before the decisions of
turn t, and the last one after those of the last turn.
"""

import base64
import zlib
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.games.game import position_at
from arena.records import Block, Cell, Death, Decision, Game, Rules
from searcher.engine.live_board import pack_for_play
from searcher.engine.position import Direction, Ruleset
from searcher.engine.rules.joint import joint_of
from searcher.engine.rules.packing import set_hazards
from searcher.engine.rules.records import STEPS, Shape, point_of, points_in, words_of
from searcher.engine.search import kernels

_SCORE_DIGITS = 3
_NEARLY_DECIDED = 0.999
_MILLISECOND_DIGITS = 1


class Fall(msgspec.Struct, frozen=True):
    """The end of a snake. `frame` is the first without it; `at` is where its head went, or left the board."""

    frame: int
    cause: str
    by: int | None
    at: Cell


class Track(msgspec.Struct, frozen=True):
    """A snake throughout a game. Lists by frame end with its life, lists by turn with its last decision.

    `trail` holds the cells of its first body, tail first, then each cell that its head came to. In frame t it
    lies on the last `kept[t]` of the first `kept[0] + t` cells, parts yet to unfold repeat the tail up
    to `length[t]`. A cell is the number y * width + x.
    """

    seat: int
    trail: list[int]
    kept: list[int]
    length: list[int]
    health: list[int]
    fall: Fall | None
    moves: str
    """A letter of u, d, l, r by turn."""
    milliseconds: list[float]
    depth: list[int]
    nodes: list[int]
    scores: list[float | None]
    faults: dict[int, str]
    """By turn, where there was one."""
    lines: list[str]
    """By turn the principal variation: for each of its turns a letter for each snake, without gaps."""


class Replay(msgspec.Struct, frozen=True):
    """A game. `turns` counts them; `first_turn` is the number of the first frame's turn."""

    turns: int
    first_turn: int
    ending: str
    void: str | None
    snakes: list[Track]
    food: list[tuple[int, int, int]]
    """(cell, its first frame, the first frame without it)."""
    hazards: list[tuple[int, list[tuple[int, int]]]]
    """(first frame, [(cell, layers)]), until the next entry."""


def packed_replays(rules: Rules, block: Block) -> str:
    """The replays of a block's games as JSON, deflated (zlib), in base64.

    Raises ValueError, naming block and game, for a game that does not go as its record says.
    """
    replays = []
    for number, game in enumerate(block.games, 1):
        try:
            replays.append(replay_of(rules, game))
        except ValueError as error:
            raise ValueError(f"block {block.number}, game {number}: {error}") from None
    return base64.b64encode(zlib.compress(msgspec.json.encode(replays), level=9)).decode()


def replay_of(rules: Rules, game: Game) -> Replay:
    """Plays a game again. Raises ValueError where it does not go as its record says."""
    _check_on_board(rules, game)
    played = _play(rules, game)
    return Replay(
        turns=len(game.turns),
        first_turn=game.start.turn,
        ending=game.ending,
        void=game.void,
        snakes=[_track(rules, game, played, snake) for snake in range(len(game.seats))],
        food=_food(rules, played),
        hazards=_hazards(rules, game),
    )


def _check_on_board(rules: Rules, game: Game) -> None:
    """What the engine takes for granted of the cells that it is given."""
    turns = [cells for turn in game.turns for cells in (turn.food, turn.hazards or ())]
    for x, y in chain(*game.start.bodies, game.start.food, game.start.hazards, *turns):
        if not (0 <= x < rules.width and 0 <= y < rules.height):
            raise ValueError(f"({x}, {y}) is off the {rules.width}x{rules.height} board")


@dataclass(frozen=True)
class _Played:
    """The engine's records of a game by frame, and the cells of the first bodies, tail first."""

    shape: Shape
    boards: NDArray[np.void]
    first_bodies: list[list[int]]


def _play(rules: Rules, game: Game) -> _Played:
    packed = pack_for_play(position_at(rules, game.start))
    boards = np.empty(len(game.turns) + 1, dtype=packed.board.dtype)
    boards[0] = packed.board[0]
    play_turn = kernels.play_turn(packed.shape)
    addresses = packed.game.ctypes.data, packed.board.ctypes.data
    for number, turn in enumerate(game.turns):
        play_turn(*addresses, joint_of(_direction(decision) for decision in turn.decisions))
        if turn.food:
            packed.board["food"][0] |= words_of(packed.shape, turn.food)
        if turn.hazards is not None:
            set_hazards(packed.shape, packed.game[0], turn.hazards)
        boards[number + 1] = packed.board[0]
    first_bodies = [
        [_cell(rules, part) for part in reversed(dict.fromkeys(body))] for body in game.start.bodies
    ]
    return _Played(packed.shape, boards, first_bodies)


def _direction(decision: Decision | None) -> Direction:
    """The move of a decision; of the dead, whose moves the engine does not look at, any."""
    return Direction.UP if decision is None else Direction[decision.move.upper()]


def _track(rules: Rules, game: Game, played: _Played, snake: int) -> Track:
    death = game.deaths[snake]
    frames = _frames_alive(game, played, snake, death)
    # Of the board's fields, the snake's columns.
    lived = {name: played.boards[name][:frames, snake] for name in ("head", "head_at", "tail_at")}
    heads = [_cell(rules, point_of(played.shape, int(head))) for head in lived["head"][1:]]
    return Track(
        seat=game.seats[snake],
        trail=played.first_bodies[snake] + heads,
        kept=(lived["head_at"] - lived["tail_at"] + 1).tolist(),
        length=played.boards["length"][:frames, snake].tolist(),
        health=played.boards["health"][:frames, snake].tolist(),
        fall=_fall(rules, game, death, point_of(played.shape, int(lived["head"][-1])), snake),
        **_told(_decisions(game, snake, death)),
    )


def _frames_alive(game: Game, played: _Played, snake: int, death: Death | None) -> int:
    """In how many frames a snake is on the board. Raises ValueError if rules and record disagree."""
    by_rules = int(np.count_nonzero(played.boards["length"][:, snake]))
    by_record = len(game.turns) + 1 if death is None else death.turn + 1
    if by_rules != by_record:
        record, rules = (_end_words(game, frames) for frames in (by_record, by_rules))
        raise ValueError(f"by the record snake {snake} {record}, by the rules it {rules}")
    return by_rules


def _end_words(game: Game, frames: int) -> str:
    return f"dies in turn {frames - 1}" if frames <= len(game.turns) else "lives to the end"


def _decisions(game: Game, snake: int, death: Death | None) -> list[Decision]:
    """What a snake decided, turn by turn. Raises ValueError if it decided while dead, or not while alive."""
    turns = len(game.turns) if death is None else death.turn + 1
    decisions = [turn.decisions[snake] for turn in game.turns]
    found = [decision for decision in decisions[:turns] if decision is not None]
    if len(found) != turns or any(decisions[turns:]):
        raise ValueError(f"snake {snake} lives for {turns} turns and has not a decision for each of them")
    return found


def _told(decisions: list[Decision]) -> dict[str, Any]:
    """The fields of a track that a snake's player told, by turn."""
    return {
        "moves": "".join(decision.move[0] for decision in decisions),
        "milliseconds": [round(decision.milliseconds, _MILLISECOND_DIGITS) for decision in decisions],
        "depth": [decision.depth for decision in decisions],
        "nodes": [decision.nodes for decision in decisions],
        "scores": [_rounded(decision.score) for decision in decisions],
        "faults": {turn: decision.fault for turn, decision in enumerate(decisions) if decision.fault},
        "lines": ["".join(decision.line) for decision in decisions],
    }


def _rounded(score: float | None) -> float | None:
    """A score with fewer digits, but never one that looks decided and is not."""
    return score if score is None or abs(score) > _NEARLY_DECIDED else round(score, _SCORE_DIGITS)


def _fall(rules: Rules, game: Game, death: Death | None, last: Cell, snake: int) -> Fall | None:
    if death is None:
        return None
    step = STEPS[_direction(game.turns[death.turn].decisions[snake])]
    x, y = last[0] + step[0], last[1] + step[1]
    if Ruleset(rules.ruleset).wrapped:
        x, y = x % rules.width, y % rules.height
    return Fall(death.turn + 1, death.cause, death.by, (x, y))


def _food(rules: Rules, played: _Played) -> list[tuple[int, int, int]]:
    """Each piece of food with the frames that it lies there."""
    since: dict[int, int] = {}
    pieces = []
    before: NDArray[Any] | None = None
    for frame, words in enumerate(played.boards["food"]):
        if before is None or not np.array_equal(words, before):
            lying = {_cell(rules, point) for point in points_in(played.shape, words)}
            gone = [cell for cell in since if cell not in lying]
            pieces += [(cell, since.pop(cell), frame) for cell in gone]
            since |= {cell: frame for cell in sorted(lying) if cell not in since}
        before = words
    return pieces + [(cell, frame, len(played.boards)) for cell, frame in since.items()]


def _hazards(rules: Rules, game: Game) -> list[tuple[int, list[tuple[int, int]]]]:
    changes = [(0, game.start.hazards)]
    changes += [(turn + 1, each.hazards) for turn, each in enumerate(game.turns) if each.hazards is not None]
    return [
        (frame, sorted((_cell(rules, point), layers) for point, layers in Counter(hazards).items()))
        for frame, hazards in changes
    ]


def _cell(rules: Rules, point: Cell) -> int:
    return point[1] * rules.width + point[0]
