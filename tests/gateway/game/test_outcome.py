"""The outcome from an /end, with and without counts of the game before."""

from dataclasses import replace

import grpc
import msgspec
import pytest
from hypothesis import given

from battlesnake_search.board import Point, Turn
from battlesnake_search.record.events import Source
from battlesnake_search.record.outcome import Outcome, ShadowRecord, StrategyRecord
from battlesnake_search.searcher_client import Failure
from battlesnake_search.translate import PlayedStrategy
from gateway.game.counts import GameCounts, ShadowCounts
from gateway.game.game import Game
from gateway.game.outcome import outcome_of
from gateway.routes.draw import Choice
from tests.console.store.game_samples import with_latency
from tests.console.store.outcome_samples import answer, choice, recorded, turn_of, with_opponents
from tests.gateway.scripted_searcher import body
from tests.gateway.turn_strategies import any_turn

MOVE = recorded("standard-move-mid-42")
OTHERS = with_opponents(MOVE, 1, me=False).board.snakes
LOST = Failure(grpc.StatusCode.UNAVAILABLE, "no connection")
COMPILES = Failure(grpc.StatusCode.UNAVAILABLE, "compiles", is_compiling=True)


def _counts(alive: int, last_turn: int, unbroken: bool = True) -> GameCounts:
    """Return the counts of a game of four, up to a turn in which that many were alive."""
    return GameCounts(0, ["a", "b", "c"], last_turn + unbroken, last_turn, alive)


def _outcome(end: Turn, counts: GameCounts | None, chosen: Choice | None = None) -> Outcome:
    """Return the outcome of a game with a counts; without one, of a game of which only the /end was seen."""
    game = Game(end)
    if counts:
        game.counts = counts
    ended, _ = outcome_of(game, end, chosen or choice())
    return ended


def _result_and_place(end: Turn, counts: GameCounts | None) -> tuple[str | None, int | None]:
    ended = _outcome(end, counts)
    return ended.result, ended.place


def _end(turn: int, opponents: int, me: bool = False, engine: str = "cli") -> Turn:
    """Return an /end in that turn with that many opponents left, with or without our snake."""
    game = MOVE.game
    game = msgspec.structs.replace(game, ruleset=msgspec.structs.replace(game.ruleset, version=engine))
    return msgspec.structs.replace(with_opponents(MOVE, opponents, me), turn=turn, game=game)


@pytest.mark.parametrize("game", ["standard", "wrapped", "constrictor", "sinkholes", "snail_mode"])
def test_recorded_duels_have_a_winner_and_a_loser(game: str) -> None:
    """In the official engine's requests the snake that is left has won, and the other one has lost."""
    turns = {"standard": 86, "wrapped": 94, "constrictor": 28, "sinkholes": 37, "snail_mode": 41}[game]
    won, lost = recorded(f"{game}-end-{turns}"), recorded(f"{game}-end-eliminated-{turns}")
    played = _counts(alive=2, last_turn=turns - 2)
    assert _result_and_place(won, played) == _result_and_place(won, None) == ("win", 1)
    assert _result_and_place(lost, played) == ("loss", 2)
    assert _result_and_place(lost, None) == ("loss", None)


@pytest.mark.parametrize("name", ["royale-end-33", "royale-end-eliminated-33", "wrapped_constrictor-end-22"])
def test_recorded_duels_without_survivor_are_draws(name: str) -> None:
    """If neither of two snakes seen alive is left, both died in one turn; without counts that is unknown."""
    end = recorded(name)
    assert _result_and_place(end, _counts(alive=2, last_turn=3)) == ("draw", 1)
    assert _result_and_place(end, None) == (None, None)


@pytest.mark.parametrize(
    ("source", "failures", "counted"),
    [
        (Source.SEARCH, (), (1, 0, 0, 0)),
        (Source.SEARCH, (LOST,), (1, 0, 0, 1)),
        (Source.BEST_SO_FAR, (), (1, 1, 0, 0)),
        (Source.SEARCH, (COMPILES,), (1, 0, 1, 0)),
        (Source.BEST_SO_FAR, (COMPILES, LOST), (1, 0, 1, 1)),
        (Source.REFLEX, (), (0, 0, 0, 0)),
        (Source.REFLEX, (LOST, LOST), (0, 0, 0, 1)),
        (Source.REFLEX, (COMPILES,), (0, 0, 0, 0)),
    ],
)
def test_moves_are_counted_by_their_source(
    source: Source, failures: tuple[Failure, ...], counted: tuple[int, ...]
) -> None:
    """A searched move is a full search, best so far or by a stand-in. Failed calls of a move count once."""
    game = Game(MOVE)
    played = msgspec.structs.replace(MOVE)
    found = answer(None if source is Source.REFLEX else 5)
    game.add_move(game.see(played), choice(), replace(found, source=source, failures=failures))
    ended, _ = outcome_of(game, _end(43, opponents=1), choice())
    found_counts = ended.moves_searched, ended.moves_best_so_far, ended.moves_stand_in, ended.moves_failed
    assert found_counts == counted
    assert _outcome(_end(10, opponents=1), None).moves_failed is None


@pytest.mark.parametrize(
    ("sent", "head", "latency", "stays", "died_late"),
    [
        # Our snake was at (1, 0), after (1, 1), and the wall is below.
        ("right", (1, -1), "0", True, True),
        ("down", (1, -1), "100", True, False),
        ("down", (1, -1), "500", False, True),
        ("down", (1, -1), "0", True, True),
        ("down", (1, -1), "0", False, False),
        ("right", (2, 0), "100", False, False),
    ],
)
def test_a_death_by_a_late_answer_is_told(
    sent: str, head: tuple[int, int], latency: str, stays: bool, died_late: bool
) -> None:
    """The head is where the answer did not lead, or the answer was straight on, and the latency shows it.

    A dead snake stays on the boards of some engines. From others, its latency is missing.
    """
    game = Game(MOVE)
    cells = [Point(*head), Point(1, 0), Point(1, 1), Point(1, 2), Point(1, 3)]
    for turn, move in ((1, "down"), (2, sent)):
        you = msgspec.structs.replace(MOVE.you, body=cells[3 - turn :][:3], latency="90")
        asked = msgspec.structs.replace(MOVE.with_board(snakes=[you, *OTHERS]), turn=turn, you=you)
        game.add_move(game.see(asked), choice(), replace(answer(5), move=move))
    fallen = msgspec.structs.replace(MOVE.you, body=cells[:3], latency=latency, health=60)
    left = MOVE.with_board(snakes=[*([fallen] if stays else []), *OTHERS])
    ended, _ = outcome_of(game, msgspec.structs.replace(left, turn=3, you=fallen), choice())
    assert ended.died_late == died_late == ended.timeouts


def test_a_late_answer_that_killed_nobody_is_no_death() -> None:
    """A snake that is alive at the end did not die. Without a move, nothing is known."""
    assert _outcome(_end(10, opponents=1, me=True), None).died_late is None
    game = Game(MOVE)
    game.add_move(game.see(MOVE), choice(), answer(5))
    end = with_latency(_end(43, opponents=0, me=True), "500")
    ended, _ = outcome_of(game, end, choice())
    assert (ended.result, ended.timeouts, ended.died_late) == ("win", 1, False)


def test_a_solo_game_has_no_result() -> None:
    """A snake without opponents neither wins nor loses, whether the ruleset or the counts show it."""
    assert _result_and_place(recorded("solo-end-33"), None) == (None, None)
    assert _result_and_place(_end(9, opponents=0), GameCounts(0, [], 8, 7, 1)) == (None, None)


@pytest.mark.parametrize(
    ("end", "counts", "expected"),
    [
        (_end(11, 1, engine="x"), _counts(4, 10), ("loss", 2)),
        (_end(11, 0, engine="x"), _counts(4, 10), ("draw", 1)),
        (_end(12, 1, engine="cli"), _counts(3, 10), ("loss", 2)),
        (_end(13, 1, engine="cli"), _counts(3, 10), ("loss", 3)),
        (_end(12, 0, engine="x"), _counts(3, 10), ("loss", 3)),
        (_end(50, 1), _counts(3, 10), ("loss", 3)),
        (_end(50, 0), _counts(4, 10), ("loss", None)),
        (_end(50, 1), _counts(4, 10), ("loss", None)),
        (_end(50, 0), _counts(4, 10, unbroken=False), (None, None)),
        (_end(50, 1), _counts(4, 10, unbroken=False), ("loss", None)),
        (_end(50, 0), _counts(2, 10, unbroken=False), ("draw", 1)),
    ],
)
def test_the_last_turn_seen_decides_the_place(
    end: Turn, counts: GameCounts, expected: tuple[str | None, int | None]
) -> None:
    """The place follows from how many were alive at our last move and how long the game lasted after it."""
    assert _result_and_place(end, counts) == expected


def test_an_aborted_game_is_a_draw_of_the_living() -> None:
    """Several snakes that are left share the first place."""
    assert _result_and_place(_end(50, 2, me=True), None) == ("draw", 1)


def test_the_counts_are_recorded() -> None:
    """Opponents, arm, depth, moves and late answers come from the counts."""
    start, end = recorded("standard-start-0"), body("standard-end-86")
    game, blue = Game(start), choice("trial", "blue", "maxn/area")
    game.see(start)
    game.counts.add_choice(blue)
    for turn, depth, late in ((0, 4, False), (1, None, False), (2, 7, True)):
        game.add_move(game.see(msgspec.structs.replace(start, turn=turn)), blue, answer(depth, late))
    end["board"]["snakes"][0]["latency"] = "500"
    ended, _ = outcome_of(game, turn_of(end), choice("trial", "green"))
    assert (ended.experiment, ended.arm, ended.strategy) == ("trial", "blue", "maxn/area")
    assert (ended.ruleset, ended.map, ended.width, ended.timeout_ms) == ("standard", "standard", 11, 500)
    assert (ended.result, ended.place, ended.turns) == ("win", 1, 86)
    assert ended.opponents == [snake.name for snake in start.board.snakes if snake.id != start.you.id]
    assert (ended.moves, ended.mean_depth, ended.timeouts, ended.seen_from) == (3, 5.5, 2, 0)
    assert (ended.part, ended.ended, ended.last_turn) == (game.part, True, 2)


def test_an_end_without_a_start_is_recorded() -> None:
    """Facts from its counts alone are None, and other facts are recorded."""
    ended = _outcome(recorded("standard-end-eliminated-86"), None)
    assert (ended.result, ended.turns, ended.moves) == ("loss", 86, 0)
    assert ended.timeouts is None and ended.mean_depth is None and ended.seen_from is None
    # A stranger may send the /end of any number of games, with opponents of long names.
    assert ended.opponents == []


def test_the_names_of_opponents_are_cut_off() -> None:
    """Outcomes are kept for longer than games, and opponents choose their names."""
    long = [msgspec.structs.replace(snake, name="n" * 256) for snake in MOVE.board.snakes]
    game = Game(MOVE)
    game.see(MOVE.with_board(snakes=long))
    assert set(game.counts.opponents) == {"n" * 64}


@pytest.mark.parametrize("forced", [False, True])
def test_without_counts_the_end_decides_the_arm(forced: bool) -> None:
    """Without counts the arm is the choice for the /end itself."""
    ended = _outcome(recorded("standard-end-86"), None, choice("trial", "blue", forced=forced))
    assert (ended.experiment, ended.arm, ended.strategy, ended.drawn) == ("trial", "blue", "", not forced)


def test_the_routes_and_the_strategies_are_recorded() -> None:
    """The outcome has the draw and the arm's setup, and every strategy that found a move."""
    end = recorded("standard-end-86")
    game, drawn = Game(end), choice("trial", "blue", "s/e")
    game.add_move(end, drawn, answer(5, strategy=PlayedStrategy("s/e", {"x": 1.0}, "digest")))
    ended, _ = outcome_of(game, end, drawn)
    assert (ended.control, ended.shares, ended.drawn) == ("blue", {"blue": 1.0}, True)
    assert ended.setup == drawn.arm.setup
    assert ended.searched == {"s/e": StrategyRecord({"x": 1.0}, "digest")}
    assert _outcome(end, None, drawn).searched == {}


def test_a_shadow_has_means_over_its_positions() -> None:
    """Depths and scores, of the shadow and the arm, are from the same position."""
    counts = _counts(alive=2, last_turn=84)
    counts.shadows["next"] = ShadowCounts("s/f", 4, 3, 30, 1.0, 26, -2.0)
    ended = _outcome(recorded("standard-end-86"), counts)
    assert ended.shadows == {"next": ShadowRecord("s/f", 4, 3, 7.5, 0.25, 6.5, -0.5)}
    assert _outcome(recorded("standard-end-86"), None).shadows == {}


@given(any_turn())
def test_every_valid_end_has_an_outcome(turn: Turn) -> None:
    """The place of any outcome agrees with its result."""
    ended = _outcome(turn, None)
    assert (ended.place == 1) == (ended.result in ("win", "draw"))
