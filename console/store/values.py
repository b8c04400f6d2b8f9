"""A game as the console shows it: the JSON of the API, described in docs/console.md.

Cells are (x, y) from the bottom left. An unknown fact is None.
"""

from datetime import datetime

import msgspec

from battlesnake_search.board import Settings

Cell = tuple[int, int]


class GameSnake(msgspec.Struct, frozen=True):
    """A snake of a game. `strategy`, `experiment` and `arm` are empty for snakes that are not ours."""

    id: str
    name: str
    color: str = ""
    head: str = ""
    tail: str = ""
    ours: bool = False
    strategy: str = ""
    experiment: str = ""
    arm: str = ""


class Result(msgspec.Struct, frozen=True):
    """The result of a game. `winner` is the number of a snake; None for a draw or without a winner."""

    winner: int | None
    turns: int


class Placed(msgspec.Struct, frozen=True, omit_defaults=True):
    """A living snake on a board. `body` starts with the head.

    `latency` is the latency of its last answer, in milliseconds; 0, and missing in JSON, if unknown.
    """

    body: list[Cell]
    health: int
    latency: float = 0.0


class Death(msgspec.Struct, frozen=True):
    """A snake's death before a turn. `cause` has the official engine's names.

    The turn of a death is the first turn without the snake, as the official engine counts. A snake that dies
    by its move of turn 69 has died in turn 70. `late`: the engine chose the snake's last move, because our
    answer came too late.
    """

    snake: int
    cause: str | None = None
    by: int | None = None
    late: bool = False
    turn: int | msgspec.UnsetType = msgspec.UNSET
    """The turn of the death if it is known, although its board was not seen; missing in JSON otherwise."""

    def turn_in(self, listed: "Turn") -> int:
        """Return the turn of the death, from the turn that lists it."""
        return listed.turn if self.turn is msgspec.UNSET else self.turn


class Ending(msgspec.Struct, frozen=True):
    """The proven end of a game: win, loss or draw, and the turns until then."""

    kind: str
    turns: int


def shown_score(score: float, outcome: Ending | None) -> float:
    """Return a score as people read it: 0 for a proven draw. Searches rank a draw just above a loss."""
    return 0.0 if outcome is not None and outcome.kind == "draw" else score


class Candidate(msgspec.Struct, frozen=True):
    """A move that a search compared. The score is an upper bound unless `exact`."""

    move: str
    score: float
    depth: int
    outcome: Ending | None
    exact: bool


class Decision(msgspec.Struct, frozen=True):
    """A move of ours, and the findings of its search. `pv` has a move or None for each snake, by turn."""

    move: str
    source: str
    late: bool
    strategy: str
    depth: int | None
    nodes: int | None
    evaluations: int | None
    score: float | None
    outcome: Ending | None
    time_ms: float
    budget_ms: float
    left_ms: float
    stop: str | None
    moves: list[Candidate]
    pv: list[list[str | None]]


class Turn(msgspec.Struct):
    """The board before the moves of a turn, the deaths before the turn, and the moves chosen on this board.

    `snakes` and `decisions` have an entry for each snake of the game.
    """

    turn: int
    food: list[Cell]
    hazards: list[Cell]
    snakes: list[Placed | None]
    deaths: list[Death]
    decisions: list[Decision | None]


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """A game without its turns. `settings` belong to the ruleset."""

    id: str
    source: str
    """live, recorded or imported."""
    over: bool
    ruleset: str
    map: str
    width: int
    height: int
    timeout_ms: int
    started_at: datetime | None
    ended_at: datetime | None
    settings: Settings
    snakes: list[GameSnake]
    result: Result | None


class Summary(Facts, frozen=True, kw_only=True):
    """A game in a list. `turns` is the number of its newest turn, and `deaths` are those with a known cause.

    `idle_s` is the time since the last request of a game that is not over, in seconds; None for other games.
    """

    turns: int
    deaths: list[Death]
    idle_s: float | None


class Game(Facts, frozen=True, kw_only=True):
    """A whole game. Unseen turns are missing."""

    turns: list[Turn]
