"""The log of games: which lines are warnings."""

import json
from collections.abc import AsyncIterator, MutableMapping
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest

from battlesnake_search.contract import search_pb2
from battlesnake_search.reader import decode
from battlesnake_search.record.events import BrokenOff
from battlesnake_search.searcher_client import Failure
from battlesnake_search.translate import MoveResult
from gateway.game import log
from gateway.game.events import Answered, Ended, Mended, Probed, Started
from gateway.game.log import GameLog
from gateway.play.player import Answer, Source
from gateway.routes import loading
from gateway.routes.draw import choose_arm
from tests.console.store.outcome_samples import OUTCOME
from tests.gateway import scripted_searcher
from tests.gateway.clients import playing, post_move
from tests.gateway.scripted_searcher import Context, ScriptedService, body, refusing
from tests.support.logs import capture_logs

ALWAYS = 1_000_000

ROUTES = """
arm_header = true
[[snakes]]
path = "/"
arms = [{ name = "champion" }, { name = "challenger" }]
"""

Line = MutableMapping[str, Any]


async def _moves(script: scripted_searcher.Script, *bodies: dict[str, Any], strategy: str = "") -> list[Line]:
    """Return the lines of these moves, by a searcher that follows the script."""
    # The last lines are written when the gateway ends.
    with capture_logs() as lines:
        async with playing(script, strategy) as client:
            for sent in bodies:
                await post_move(client, sent)
    return [line for line in lines if line["event"] in ("move", "late answer")]


def _later(turns: int, **game: Any) -> dict[str, Any]:
    """Return a body of a later turn. After an unseen turn, the played answer is unknown."""
    sent = body(**game)
    return sent | {"turn": sent["turn"] + 2 * turns}


def _levels(lines: list[Line]) -> list[str]:
    assert {line["event"] for line in lines} == {"move"}
    return [line["log_level"] for line in lines]


async def test_a_move_is_logged_in_one_line() -> None:
    """The line of a move has the game, the turn, the search and the time, in this order."""
    sent = body()
    [line] = await _moves(scripted_searcher.at_once, sent)
    expected = {"log_level": "info", "game_id": sent["game"]["id"], "turn": 42, "move": "up", "depth": 2}
    assert line.items() >= (expected | {"nodes": 20, "score": 0.25, "source": "search"}).items()
    assert 0 < line["time_left_ms"] < 500 and line["elapsed_ms"] > 0
    fields = (
        "game_id snake arm turn move source elapsed_ms time_left_ms budget_ms text_only depth nodes score"
    )
    assert [*line][:13] == fields.split()


@pytest.mark.parametrize(("depth", "beside", "forced"), [(1, 0, True), (1, 5, False), (2, 0, False)])
def test_an_only_move_is_forced(depth: int, beside: int, forced: bool) -> None:
    """In a corner a snake has one move, and the search of it ends at depth 1; by a wall it has more."""
    sent = body()
    cells = [{"x": beside, "y": height} for height in (0, 1, 2)]
    sent["you"] |= {"body": cells, "head": cells[0], "length": 3, "health": 90}
    sent["board"] |= {"snakes": [sent["you"]], "hazards": []}
    turn, routes = decode(json.dumps(sent).encode()), loading.load(None, "")
    found = MoveResult("right", 0.5, depth, 1, 0.1)
    answer = Answer("right", Source.SEARCH, 0.1, 0.4, found, (), late_before=False)
    with capture_logs() as lines:
        GameLog().take(Answered(turn, choose_arm(routes, routes.default, turn), answer))
    assert [line.get("forced", False) for line in lines] == [forced]


async def test_a_refusal_that_stays_is_a_warning_once() -> None:
    """A reflex because of an unknown strategy is a warning in its first game only; then it is known."""
    script = refusing(grpc.StatusCode.INVALID_ARGUMENT, ALWAYS)
    lines = await _moves(script, body(), _later(1), body(id="another game"))
    assert _levels(lines) == ["warning", "info", "info"]
    assert {(line["source"], line["last_failure"]) for line in lines} == {
        ("reflex", "INVALID_ARGUMENT: not now")
    }


async def test_another_reason_is_a_warning_again() -> None:
    """Causes differ by the text of the failure."""
    reasons = iter(("no search 'a'", "no search 'b'", "no search 'a'"))

    async def script(
        _request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        for reason in reasons:
            await context.abort(grpc.StatusCode.NOT_FOUND, reason)
        yield search_pb2.StreamSearchResponse()

    assert _levels(await _moves(script, *map(_later, range(3)))) == ["warning", "warning", "info"]


async def test_a_failure_that_passes_is_a_warning_in_each_game() -> None:
    """While a searcher compiles, or is silent, the first reflex of each game is a warning."""
    games = [body(timeout=100), _later(1, timeout=100), body(id="another game", timeout=100)]
    refused = await _moves(refusing(grpc.StatusCode.UNAVAILABLE, ALWAYS), *games)
    silent = await _moves(scripted_searcher.never, *games)
    assert _levels(refused) == _levels(silent) == ["warning", "info", "warning"]


async def test_a_failure_before_a_search_is_no_warning() -> None:
    """A search that succeeds at the second attempt is logged at level info, with the failure."""
    [line] = await _moves(refusing(grpc.StatusCode.UNAVAILABLE, 1), body())
    assert (line["log_level"], line["source"], line["failed_calls"]) == ("info", "search", 1)


async def test_a_move_of_the_default_strategy_while_another_is_compiled_is_a_warning() -> None:
    """It is one in each game, with the reason, and the move is searched."""
    games = [body(), _later(1), body(id="another game")]
    lines = await _moves(scripted_searcher.compiling, *games, strategy="paranoid/area")
    assert _levels(lines) == ["warning", "info", "warning"]
    assert {line["source"] for line in lines} == {"search"}
    assert lines[0]["last_failure"] == "UNAVAILABLE: still compiling paranoid/area"


async def test_each_arm_has_its_causes(tmp_path: Path) -> None:
    """The same failure of another arm is another warning."""
    routes = tmp_path / "routes.toml"
    routes.write_text(ROUTES)
    service = ScriptedService(refusing(grpc.StatusCode.INVALID_ARGUMENT, ALWAYS))
    with capture_logs() as lines:
        async with (
            scripted_searcher.searcher(service) as target,
            scripted_searcher.gateway(target, routes=routes) as client,
        ):
            for turn, arm in enumerate(("champion", "challenger", "champion", "challenger")):
                await post_move(client, _later(turn), **{"X-Battlesnake-Arm": arm})
    assert _levels([line for line in lines if line["event"] == "move"]) == ["warning"] * 2 + ["info"] * 2


def test_a_late_answer_is_a_warning() -> None:
    """A move after the timeout is a warning, and one at its very end is in time."""
    turn = decode(json.dumps(body()).encode())
    routes = loading.load(None, "")
    with capture_logs() as lines:
        for left in (-0.012, 0.0):
            answer = Answer("up", Source.BEST_SO_FAR, 0.5 - left, left, None, (), late_before=False)
            GameLog().take(Answered(turn, choose_arm(routes, routes.default, turn), answer))
    assert [(line["time_left_ms"], line["log_level"]) for line in lines] == [
        (-12.0, "warning"),
        (0.0, "info"),
    ]


async def test_an_answer_that_came_too_late_is_a_warning() -> None:
    """A body that reports the last answer as late brings a warning about the turn before."""
    sent = body()
    for snake in sent["board"]["snakes"]:
        snake["latency"] = "500"
    late, move = await _moves(scripted_searcher.at_once, sent)
    assert late == {
        "event": "late answer",
        "log_level": "warning",
        "game_id": sent["game"]["id"],
        "turn": 41,
        "snake": sent["you"]["name"],
        "arm": "default",
        "latency_ms": 500,
        "timeout_ms": 500,
    }
    assert (move["event"], move["turn"], move["log_level"]) == ("move", 42, "info")


async def test_a_late_answer_in_a_test_of_the_snake_is_no_warning() -> None:
    """A test repeats and skips turns, so the heads of snakes are not where the answers led them."""
    sent = body(id="test-1")
    for snake in sent["board"]["snakes"]:
        snake["latency"] = "500"
    late, _ = await _moves(scripted_searcher.at_once, sent)
    assert (late["event"], late["log_level"]) == ("late answer", "info")


def _reflexes(*games: str, failures: tuple[Failure, ...] = ()) -> list[str]:
    """Return the levels of reflexes in these games, one after the other in one log."""
    game_log, routes = GameLog(), loading.load(None, "")
    recorded = decode(json.dumps(body()).encode())
    answer = Answer("up", Source.REFLEX, 0.1, 0.4, None, failures, late_before=False)
    with capture_logs() as lines:
        for game in games:
            named = msgspec.structs.replace(recorded.game, id=game)
            turn = msgspec.structs.replace(recorded, game=named)
            game_log.take(Answered(turn, choose_arm(routes, routes.default, turn), answer))
    return [line["log_level"] for line in lines]


def test_a_cause_is_forgotten_after_many_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The causes seen last are kept."""
    monkeypatch.setattr(log, "_MAX_CAUSES", 10)
    games = [str(number) for number in range(11)]
    *_, first, last, oldest = _reflexes(*games[:10], games[0], games[10], games[0], games[1])
    assert (first, last, oldest) == ("warning", "info", "warning")
    assert _reflexes(*games[:10], games[0])[-1] == "info"


def test_a_flood_of_games_without_moves_is_few_lines() -> None:
    """Strangers can begin and end any number of games. The lines of moves go on."""
    game_log, routes = GameLog(), loading.load(None, "")
    turn = decode(json.dumps(body()).encode())
    choice = choose_arm(routes, routes.default, turn)
    with capture_logs() as lines:
        for _ in range(2000):
            game_log.take(Started(turn, choice))
            game_log.take(Probed(turn, choice))
            game_log.take(BrokenOff("a", "b", OUTCOME))
            game_log.take(Mended(turn, frozenset({"null"}), frozenset({"null"})))
            game_log.take(Ended(turn, choice, msgspec.structs.replace(OUTCOME, moves=0)))
        game_log.take(Answered(turn, choice, Answer("up", Source.REFLEX, 0.1, 0.4, None, (), False)))
    events = [line["event"] for line in lines]
    assert len(lines) < 50 and events.count("move") == 1 and events[-1] == "move"


def test_an_end_has_the_turn_of_the_last_board() -> None:
    """The /end of the official engine counts one turn more than its last board. The outcome keeps that."""
    turn = decode(json.dumps(body()).encode())
    routes, outcome = loading.load(None, ""), msgspec.structs.replace(OUTCOME, turns=turn.turn + 1)
    with capture_logs() as lines:
        GameLog().take(Ended(turn, choose_arm(routes, routes.default, turn), outcome))
    assert [(line["event"], line["turn"]) for line in lines] == [("game ended", turn.turn)]


def test_the_last_failure_is_the_cause() -> None:
    """A searcher that has compiled, and then knows no such strategy, is the same in every game."""
    passing = Failure(grpc.StatusCode.UNAVAILABLE, "compiling")
    staying = Failure(grpc.StatusCode.INVALID_ARGUMENT, "no such strategy")
    assert _reflexes("g", "h", failures=(passing, staying)) == ["warning", "info"]
    assert _reflexes("g", "h", failures=(staying, passing)) == ["warning", "warning"]


def test_new_kinds_of_mends_are_a_warning() -> None:
    """Kinds that a game has shown before are not logged again."""
    turn, game_log = decode(json.dumps(body()).encode()), GameLog()
    with capture_logs() as lines:
        for new in (frozenset({"null", "food"}), frozenset[str]()):
            game_log.take(Mended(turn, frozenset({"null", "food"}), new))
    [line] = lines
    assert (line["event"], line["log_level"], line["kinds"]) == ("body mended", "warning", ["food", "null"])
