"""The log of games: which lines are warnings."""

import json
from typing import Any

import grpc
import msgspec
import pytest

from battlesnake_search.board import Turn
from battlesnake_search.reader import decode
from battlesnake_search.record.events import Source
from battlesnake_search.searcher_client import Failure
from battlesnake_search.translate import MoveResult
from gateway.game import log
from gateway.game.events import Answered, Ended, Event, Mended
from gateway.game.log import GameLog
from gateway.play.player import Answer
from tests.console.store.outcome_samples import OUTCOME, choice
from tests.gateway import scripted_searcher
from tests.gateway.clients import playing, post_move
from tests.gateway.scripted_searcher import body
from tests.support.logs import capture_logs

CHOICE = choice()
FOUND = MoveResult("up", 0.5, 2, 20, 0.1)

REFUSED = Failure(grpc.StatusCode.INVALID_ARGUMENT, "no such strategy")
PASSING = Failure(grpc.StatusCode.UNAVAILABLE, "nothing listens")
COMPILES = Failure(grpc.StatusCode.UNAVAILABLE, "still compiling", is_compiling=True)


def _turn(game: str = "g", **fields: Any) -> Turn:
    return decode(json.dumps(body(id=game) | fields).encode())


def _reflex(*failures: Failure) -> Answer:
    return Answer("up", Source.REFLEX, "", 0.1, 0.0, 0.4, None, failures, late_before=False)


def _searched(*failures: Failure, late_before: bool = False) -> Answer:
    return Answer("up", Source.SEARCH, "", 0.1, 0.0, 0.4, FOUND, failures, late_before)


def _logged(*events: Event) -> list[Any]:
    """Return the lines of one log about events."""
    game_log = GameLog()
    with capture_logs() as lines:
        for event in events:
            game_log.take(event)
    return list(lines)


def _levels(*moves: tuple[str, Answer]) -> list[str]:
    """Return the levels of the lines about moves, each with the id of its game."""
    return [line["log_level"] for line in _logged(*(Answered(_turn(game), CHOICE, it) for game, it in moves))]


async def test_a_move_is_logged_in_one_line() -> None:
    """The line of a move has the game, the turn, the search and the time, in this order."""
    sent = body()
    with capture_logs() as lines:
        async with playing(scripted_searcher.at_once) as client:
            await post_move(client, sent)
    [line] = [line for line in lines if line["event"] == "move"]
    expected = {"log_level": "info", "game_id": sent["game"]["id"], "turn": 42, "move": "up", "depth": 2}
    assert line.items() >= (expected | {"nodes": 20, "score": 0.25, "source": "search"}).items()
    assert 0 < line["time_left_ms"] < 500 and line["elapsed_ms"] > 0
    fields = "game_id snake arm turn move source elapsed_ms time_left_ms budget_ms arms depth nodes score"
    assert [*line][:13] == fields.split()


@pytest.mark.parametrize(("depth", "beside", "forced"), [(1, 0, True), (1, 5, False), (2, 0, False)])
def test_an_only_move_is_forced(depth: int, beside: int, forced: bool) -> None:
    """In a corner a snake has one move, and the search of it ends at depth 1; by a wall it has more."""
    sent = body()
    cells = [{"x": beside, "y": height} for height in (0, 1, 2)]
    you = sent["you"] | {"body": cells, "head": cells[0], "length": 3, "health": 90}
    turn = _turn(you=you, board=sent["board"] | {"snakes": [you], "hazards": []})
    answer = Answer(
        "right", Source.SEARCH, "", 0.1, 0.0, 0.4, MoveResult("right", 0.5, depth, 1, 0.1), (), False
    )
    [line] = _logged(Answered(turn, CHOICE, answer))
    assert line.get("forced", False) == forced


@pytest.mark.parametrize(
    ("moves", "levels"),
    [
        # A refusal that stays is one cause in all games, and another reason is another cause.
        ([("g", _reflex(REFUSED)), ("g", _reflex(REFUSED)), ("h", _reflex(REFUSED))], "warning info info"),
        ([("g", _reflex(REFUSED)), ("g", _reflex(PASSING)), ("g", _reflex(REFUSED))], "warning warning info"),
        # A failure that passes, or no answer in time, is a cause in each game.
        ([("g", _reflex(PASSING)), ("g", _reflex(PASSING)), ("h", _reflex(PASSING))], "warning info warning"),
        ([("g", _reflex()), ("g", _reflex()), ("h", _reflex())], "warning info warning"),
        # The last failure of a move is its cause.
        ([("g", _reflex(PASSING, REFUSED)), ("h", _reflex(PASSING, REFUSED))], "warning info"),
        ([("g", _reflex(REFUSED, PASSING)), ("h", _reflex(REFUSED, PASSING))], "warning warning"),
        # A failed call before a search is none, but a move of another strategy is.
        ([("g", _searched(PASSING))], "info"),
        ([("g", _searched(COMPILES)), ("g", _searched(COMPILES))], "warning info"),
    ],
)
def test_the_first_reflex_of_a_cause_is_a_warning(moves: list[tuple[str, Answer]], levels: str) -> None:
    """Later reflexes of the cause are known."""
    assert _levels(*moves) == levels.split()


def test_each_arm_has_its_causes() -> None:
    """The same failure of another arm is another warning."""
    arms = [choice(arm=name) for name in ("champion", "challenger", "champion")]
    lines = _logged(*(Answered(_turn(), arm, _reflex(REFUSED)) for arm in arms))
    assert [line["log_level"] for line in lines] == ["warning", "warning", "info"]
    assert lines[0]["last_failure"] == "INVALID_ARGUMENT: no such strategy"


def test_a_cause_is_forgotten_after_many_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The causes seen last are kept."""
    monkeypatch.setattr(log, "_MAX_CAUSES", 10)
    games = [*map(str, range(10)), "0", "10", "0", "1"]
    *_, first, last, oldest = _levels(*((game, _reflex()) for game in games))
    assert (first, last, oldest) == ("warning", "info", "warning")


def test_a_move_after_the_timeout_is_a_warning() -> None:
    """A move at its very end is in time."""
    answers = [
        Answer("up", Source.BEST_SO_FAR, "", 0.5 - left, 0.0, left, None, (), False) for left in (-0.012, 0.0)
    ]
    lines = _logged(*(Answered(_turn(), CHOICE, answer) for answer in answers))
    assert [(line["time_left_ms"], line["log_level"]) for line in lines] == [
        (-12.0, "warning"),
        (0.0, "info"),
    ]


@pytest.mark.parametrize(("game", "level"), [("g", "warning"), ("test-1", "info")])
def test_an_answer_that_came_too_late_is_a_warning(game: str, level: str) -> None:
    """It is about the turn before. A test of the snake repeats and skips turns, so there it is none."""
    turn = _turn(game)
    late, move = _logged(Answered(turn, CHOICE, _searched(late_before=True)))
    assert late == {
        "event": "late answer",
        "log_level": level,
        "game_id": game,
        "turn": 41,
        "snake": turn.you.name,
        "arm": CHOICE.arm.name,
        "latency_ms": turn.latency,
        "timeout_ms": 500,
    }
    assert (move["event"], move["turn"], move["log_level"]) == ("move", 42, "info")


def test_an_end_has_the_turn_of_the_last_board() -> None:
    """The /end of the official engine counts one turn more than its last board. The outcome keeps that."""
    turn = _turn()
    [line] = _logged(Ended(turn, CHOICE, msgspec.structs.replace(OUTCOME, turns=turn.turn + 1)))
    assert (line["event"], line["turn"]) == ("game ended", turn.turn)


def test_new_kinds_of_mends_are_a_warning() -> None:
    """Kinds that a game has shown before are not logged again."""
    kinds = frozenset({"null", "food"})
    [line] = _logged(*(Mended(_turn(), kinds, new) for new in (kinds, frozenset[str]())))
    assert (line["event"], line["log_level"], line["kinds"]) == ("body mended", "warning", ["food", "null"])
