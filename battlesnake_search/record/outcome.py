"""An outcome and its parts, as plain values."""

from datetime import datetime
from typing import Literal

import msgspec

Result = Literal["win", "draw", "loss"]

LEAST_SEARCHED = 0.8
"""The share of an arm's newest moves that searches have to find. Below it, reflexes may decide games."""


class ShadowRecord(msgspec.Struct, frozen=True):
    """A shadow's record of a game, over the positions for which it and the arm both found a move."""

    strategy: str
    compared: int
    """The number of the compared positions."""
    agreed: int
    """The number of positions in which both found the same move."""
    mean_depth: float
    """The mean number of turns that the shadow searched."""
    mean_score: float | None = None
    """The mean score of the shadow's moves, from -1 to 1. In older rows it and the next two are None."""
    played_mean_depth: float | None = None
    """The mean number of turns that the arm searched in the same positions."""
    played_mean_score: float | None = None
    """The mean score of the arm's moves in the same positions."""


class StrategyRecord(msgspec.Struct, frozen=True):
    """A strategy that found moves in a game, as the searcher reports it.

    `weights` are all weights of the evaluator. `digest` covers the strategy, the weights and the code. The
    digest of `auto` covers the rules by which it chooses.
    """

    weights: dict[str, float]
    digest: str


class Outcome(msgspec.Struct, frozen=True):
    """A row of the store: one gateway's view of a snake's game. An unknown fact is None."""

    game_id: str
    snake_id: str
    snake: str
    experiment: str
    arm: str
    strategy: str
    drawn: bool
    """Whether the arm was drawn and played the whole game without a change; otherwise the experiment ignores
    the game."""
    ruleset: str
    map: str
    width: int
    height: int
    timeout_ms: int
    opponents: list[str]
    """The names of all opponents if `seen_from` is 0, else of the opponents alive in that turn. Empty if the
    gateway received only the /end. A name has at most 64 characters."""
    result: Result | None
    """The result; None without opponents, or if unknown."""
    place: int | None
    """The place; 1 is best. Snakes that die in the same turn share a place."""
    turns: int
    moves: int
    """The number of moves that this gateway answered."""
    timeouts: int | None
    """The number of answers that the engine reported as late."""
    mean_depth: float | None
    """The mean number of turns searched, over the moves that a search found."""
    seen_from: int | None
    """The first turn that this gateway received; None if it received only the /end."""
    shadows: dict[str, ShadowRecord]
    """Shadows by name, if they had a position to compare."""
    ended_at: datetime
    control: str | None = None
    """The arm with which other arms are compared. This and the next three fields are None in older rows."""
    shares: dict[str, float] | None = None
    """The share of the games that each arm of the draw plays, by its name."""
    setup: str | None = None
    """A digest of the arm's setup in the routes."""
    searched: dict[str, StrategyRecord] | None = None
    """The strategies that found moves, by name."""
    mean_latency_ms: float | None = None
    """The mean latency that the engine reported for an answer; None also in older rows."""
    part: str = ""
    """A random id of the view, since several gateways may see parts of a game; empty in older rows."""
    ended: bool = True
    """Whether the view saw the end of the game."""
    last_turn: int | None = None
    """The last turn for which the view answered a move; None also in older rows."""
    began_at: datetime | None = None
    """When the view's first request arrived, in UTC; None if it has only the /end, and in older rows."""
    moves_searched: int | None = None
    """The number of answered moves that a search found. The others are reflexes. None also in older rows."""
    moves_best_so_far: int | None = None
    """Of the searched moves, those of a search that had not ended. This and the next three fields are None
    also in older rows."""
    moves_stand_in: int | None = None
    """Of the searched moves, those by the searcher's default strategy while it compiled the arm's."""
    moves_failed: int | None = None
    """The number of answered moves for which a call of a searcher failed."""
    died_late: bool | None = None
    """Whether the snake died by a move that the engine chose, because our answer came too late."""
