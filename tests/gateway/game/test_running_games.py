"""Where the games in progress are kept, and for how long."""

from collections.abc import Sequence

import msgspec
import pytest

from battlesnake_search.board import MOVES, Board, Game, Point, Ruleset, Snake, Turn
from battlesnake_search.record.events import Abandoned, BrokenOff, Source
from battlesnake_search.record.outcome import Outcome
from gateway.game.events import Answered, Ended, Event, Mended, Probed
from gateway.game.running_games import Games
from gateway.play.player import Answer
from tests.console.store.outcome_samples import choice

CHOICE = choice()
TIMEOUT = 500


def snake(name: str, head: tuple[int, int], heading: str = "up", length: int = 3, **fields: object) -> Snake:
    """Return a straight snake that has moved in a direction."""
    dx, dy = MOVES[heading]
    body = [Point(head[0] - dx * part, head[1] - dy * part) for part in range(length)]
    return Snake(name, body, **fields)  # type: ignore[arg-type]


def turn_with(
    number: int, *snakes: Snake, game: str = "g", you: Snake | None = None, version: str = "v1.0.0"
) -> Turn:
    """Return a turn on an 11x11 board; `you` is the first snake unless it is given."""
    rules = Game(game, Ruleset(version=version), timeout=TIMEOUT)
    return Turn(rules, Board(25, 25, list(snakes)), you or snakes[0], number)


def answer(move: str, seconds: float = 0.4, late: bool = False) -> Answer:
    """Return an answer that took some time."""
    return Answer(move, Source.SEARCH, "", seconds, 0.0, 0.1, None, (), late)


class Play:
    """Games, the time and the events that they publish."""

    def __init__(self) -> None:
        self.time = 0.0
        self.events: list[Event] = []
        self.games = Games(lambda: self.time, self.events.append)

    def move(self, turn: Turn, move: str = "up", seconds: float = 0.4) -> bool:
        """Request a move and answer it; return whether the previous answer was late."""
        with self.games.asking(turn, CHOICE) as asked:
            late = asked.view.late_before
            asked.game.budget.divide(asked.view.turn, late)
            asked.answer = answer(move, seconds, late)
        return late

    def outcomes(self, kind: type[Ended | Abandoned] = Ended) -> list[Outcome]:
        """Return the outcomes of the published events of a kind."""
        return [event.outcome for event in self.events if isinstance(event, kind) and event.outcome]

    def start(self, game: str) -> None:
        """Record a /start of a game."""
        self.games.start(turn_with(0, snake("me", (5, 2)), snake("o", (9, 2)), game=game), CHOICE)


async def test_a_snake_keeps_its_game() -> None:
    """Each request finds the game that the first one has begun, also after its end."""
    play, me, other = Play(), snake("me", (5, 5)), snake("o", (9, 3))
    turn = turn_with(3, me, other)
    play.move(turn)
    kept = play.games.get(turn)
    for you, game in ((me, "h"), (other, "g")):
        play.move(turn_with(3, me, other, game=game, you=you))
        assert play.games.get(turn_with(3, you, game=game)) is not kept
    play.games.end(turn_with(4, snake("me", (5, 6))), CHOICE)
    assert kept is play.games.get(turn) is not None and len(play.games) == 3
    assert play.games.get(turn_with(3, me, game="unknown")) is None


async def test_a_game_that_was_not_seen_for_an_hour_is_forgotten() -> None:
    """A game seen recently is kept longer than one seen before it, and a pause may last the whole hour."""
    play = Play()
    for time, game in ((0.0, "a"), (1.0, "b"), (3000.0, "a")):
        play.time = time
        play.start(game)
    for time, left in ((3601.0, 2), (3601.5, 1), (6600.0, 1), (6600.5, 0)):
        play.time = time
        play.games.drop_old()
        assert len(play.games) == left, time


async def test_a_game_is_played_until_it_ends_or_falls_silent() -> None:
    """Some engines send no /end."""
    play = Play()
    for game in ("a", "b"):
        play.start(game)
    assert play.games.playing == 2
    play.games.end(turn_with(9, snake("me", (5, 5)), game="a"), CHOICE)
    assert play.games.playing == 1
    play.time = 31.0
    assert play.games.playing == 0


@pytest.mark.parametrize("latency", ["0", "", None, "500ms", 12])
async def test_the_head_shows_that_an_answer_was_late(latency: str | float | None) -> None:
    """For any reported latency: ten answers to turn were followed by going straight on."""
    play = Play()
    late_ones = []
    for number in range(11):
        me = snake("me", (number, 5), "right", latency=latency if number else "0")
        late_ones.append(play.move(turn_with(number + 3, me, snake("o", (9, number + 2))), "up"))
    assert late_ones == [False] + [True] * 10
    overhead = play.games.get(turn_with(3, snake("me", (0, 5)))).budget.delays.overhead  # type: ignore[union-attr]
    assert overhead > 0.7 * TIMEOUT
    play.games.end(turn_with(14, snake("me", (11, 5), "right"), snake("o", (9, 13))), CHOICE)
    [outcome] = play.outcomes()
    assert (outcome.timeouts, outcome.moves) == (11, 11)


@pytest.mark.parametrize("latency", ["0", "", "501"])
async def test_an_answer_that_was_played_was_in_time(latency: str) -> None:
    """A head that followed a turn shows that the answer came, even if the engine reports its time-out."""
    play = Play()
    play.move(turn_with(5, snake("me", (5, 5), "right"), snake("o", (9, 3))), "up")
    assert not play.move(turn_with(6, snake("me", (5, 6), "up", latency=latency), snake("o", (9, 4))))


@pytest.mark.parametrize(("latency", "late"), [("500", True), ("0", True), ("420", False)])
async def test_the_latency_decides_where_the_answer_was_straight_on(latency: str, late: bool) -> None:
    """An engine that reports latencies gives 0 for an answer that did not come in time."""
    play = Play()
    play.move(turn_with(5, snake("me", (5, 5), latency="0"), snake("o", (9, 3))))
    play.move(turn_with(6, snake("me", (5, 6), latency="41"), snake("o", (9, 4))))
    assert play.move(turn_with(7, snake("me", (5, 7), latency=latency), snake("o", (9, 5)))) == late


async def test_the_dead_on_the_board_give_result_and_place() -> None:
    """In the platform's form our snake died on turn 6, one before it, and one lived on."""
    play = Play()
    corpse = snake("c", (1, 5))
    play.move(turn_with(4, snake("me", (5, 5)), snake("o", (9, 3)), snake("c", (1, 4)), snake("d", (7, 2))))
    play.move(turn_with(5, snake("me", (5, 6)), snake("o", (9, 4)), corpse, snake("d", (7, 3))))
    end = turn_with(
        9, snake("me", (5, 7), health=99), snake("o", (9, 8)), corpse, snake("d", (7, 4), health=99)
    )
    play.games.end(end, CHOICE)
    [outcome] = play.outcomes()
    assert (outcome.result, outcome.place) == ("loss", 2)
    [ended] = [event for event in play.events if isinstance(event, Ended)]
    assert [each.id for each in ended.turn.board.snakes] == ["o"]


async def test_a_probe_is_no_game() -> None:
    """A single snake at turn 0 in all requests: there is no outcome, and nothing is remembered."""
    play = Play()
    probe = turn_with(0, Snake("me", [Point(5, 5)] * 3))
    play.games.start(probe, CHOICE)
    play.move(probe)
    play.games.end(probe, CHOICE)
    assert play.outcomes() == [] and isinstance(play.events[-1], Probed) and len(play.games) == 0


async def test_the_same_turn_asked_twice_is_one_move() -> None:
    """The second request gets the first one's move, also while that is still searched for."""
    play = Play()
    turn = turn_with(7, snake("me", (5, 5)), snake("o", (9, 3)))
    assert play.games.same(turn) is None
    with play.games.asking(turn, CHOICE) as asked:
        waiting = play.games.same(turn)
        assert waiting is not None and not waiting.done()
        asked.answer = answer("left")
    again = play.games.same(turn)
    assert await waiting == "left" and again is not None and await again == "left"
    play.games.end(turn_with(8, snake("me", (4, 5), "left")), CHOICE)
    [outcome] = play.outcomes()
    assert outcome.moves == 1


async def test_a_request_without_an_answer_leaves_a_reflex_to_its_repetition() -> None:
    """The second one is answered, whatever goes wrong with the first one."""
    play = Play()
    turn = turn_with(7, snake("me", (5, 5)), snake("o", (9, 3)))
    with pytest.raises(RuntimeError), play.games.asking(turn, CHOICE):
        raise RuntimeError("gone")
    waiting = play.games.same(turn)
    assert waiting is not None and await waiting in MOVES


async def _course(play: Play, numbers: Sequence[int], start: bool = True) -> None:
    if start:
        play.games.start(turn_with(0, snake("me", (5, 2)), snake("o", (9, 2))), CHOICE)
    for number in numbers:
        play.move(turn_with(number, snake("me", (5, number + 2)), snake("o", (9, number + 2))))


@pytest.mark.parametrize("start", [True, False])
async def test_the_second_course_of_a_repeated_game_counts(start: bool) -> None:
    """The first one is kept as broken off, under another id, with another budget and another part."""
    play = Play()
    await _course(play, range(20))
    first = play.games.get(turn_with(0, snake("me", (5, 1))))
    await _course(play, range(13), start)
    second = play.games.get(turn_with(0, snake("me", (5, 1))))
    assert first is not second and first is not None and second is not None and first.part != second.part
    play.games.end(turn_with(13, snake("me", (5, 15))), CHOICE)
    [broken] = [event for event in play.events if isinstance(event, BrokenOff)]
    assert broken.game_id == "g" and broken.new_id.startswith("g~")
    assert (broken.outcome.game_id, broken.outcome.ended, broken.outcome.moves) == (broken.new_id, False, 20)
    [outcome] = play.outcomes()
    assert (outcome.game_id, outcome.moves, outcome.seen_from, outcome.timeouts) == ("g", 13, 0, 0)
    assert outcome.last_turn == 12 and outcome.ended


async def test_two_snakes_of_ours_share_the_id_of_the_first_course() -> None:
    """Both have played in it, and it is one game."""
    play = Play()
    me, other = snake("me", (5, 2)), snake("o", (9, 2))
    for number in (0, 1, 0):
        for you in (me, other):
            play.move(turn_with(number, me, other, you=you))
    assert len({event.new_id for event in play.events if isinstance(event, BrokenOff)}) == 1


async def test_a_second_end_changes_nothing() -> None:
    """Engines send one for each snake, or again."""
    play = Play()
    await _course(play, range(5))
    for _ in range(3):
        play.games.end(turn_with(5, snake("me", (5, 7))), CHOICE)
    assert len(play.outcomes()) == 1


async def test_an_answer_after_the_end_is_not_counted() -> None:
    """A search that is still going on when the game ends does not open it again."""
    play = Play()
    await _course(play, range(5))
    with play.games.asking(turn_with(5, snake("me", (5, 7)), snake("o", (9, 7))), CHOICE) as asked:
        play.games.end(turn_with(6, snake("me", (5, 8))), CHOICE)
        asked.answer = answer("up")
    [outcome] = play.outcomes()
    game = play.games.get(turn_with(6, snake("me", (5, 8))))
    assert outcome.moves == 5 and game is not None and game.ended == 6
    assert isinstance(play.events[-1], Answered)


async def test_an_end_that_was_wrong_is_taken_back() -> None:
    """If the engine continues, the game does too, and its true end replaces the wrong outcome."""
    play = Play()
    await _course(play, range(5))
    play.games.end(turn_with(5, snake("me", (5, 7))), CHOICE)
    await _course(play, range(5, 8), start=False)
    play.games.end(turn_with(8, snake("me", (5, 10))), CHOICE)
    wrong, right = play.outcomes()
    assert (wrong.part, wrong.moves) == (right.part, 5) and right.moves == 8


async def test_a_game_without_an_end_is_unfinished_after_a_while() -> None:
    """After ten minutes it is published as such, once; its end may still come within the hour."""
    play = Play()
    await _course(play, range(5))
    play.time = 601.0
    for _ in range(2):
        play.games.drop_old()
    [outcome] = play.outcomes(Abandoned)
    assert (outcome.ended, outcome.result, outcome.moves) == (False, None, 5)
    play.games.end(turn_with(20, snake("o", (9, 22)), you=snake("me", (5, 7))), CHOICE)
    [ended] = play.outcomes()
    assert ended.part == outcome.part and (ended.ended, ended.result, ended.place) == (True, "loss", 2)
    play.time = 9_999.0
    play.games.drop_old()
    assert len(play.games) == 0 and len(play.outcomes(Abandoned)) == 1


async def test_a_game_that_goes_on_is_published_when_the_gateway_ends() -> None:
    """Another gateway may see the rest of the game."""
    play = Play()
    await _course(play, range(5))
    play.games.close()
    [outcome] = play.outcomes(Abandoned)
    assert (outcome.ended, outcome.moves) == (False, 5)


FLOOD = 2000
"""More games than a gateway keeps."""


async def test_a_flood_of_strange_games_evicts_none_with_moves() -> None:
    """The games with the fewest seen moves are removed first."""
    play = Play()
    await _course(play, range(5))
    for number in range(FLOOD):
        play.start(f"strange {number}")
    assert len(play.games) < FLOOD
    assert play.games.get(turn_with(5, snake("me", (5, 7)))) is not None
    assert play.games.get(turn_with(0, snake("me", (5, 1)), game="strange 3")) is None


async def test_a_game_that_is_removed_during_its_move_stays_removed() -> None:
    """Its answer is sent, and leaves nothing behind that later games would meet."""
    play = Play()
    with play.games.asking(turn_with(1, snake("me", (5, 2)), game="first"), CHOICE) as asked:
        for number in range(FLOOD):
            play.move(turn_with(1, snake("me", (5, 2)), game=f"strange {number}"))
        asked.answer = answer("up")
    assert await asked.move == "up"
    assert play.games.get(turn_with(1, snake("me", (5, 2)), game="first")) is None
    for number in range(FLOOD):
        play.move(turn_with(1, snake("me", (5, 2)), game=f"later {number}"))
    assert 0 < len(play.games) < FLOOD


async def test_mends_are_new_once_a_game() -> None:
    """The kinds of a body are published each time, and new kinds of a game once."""
    play = Play()
    turn = turn_with(4, snake("me", (5, 5)), snake("o", (9, 3)))
    play.move(turn)
    for kinds in ({"null"}, {"null", "food"}):
        play.games.note_mends(turn, frozenset(kinds))
    mended = [event for event in play.events if isinstance(event, Mended)]
    assert [(set(event.kinds), set(event.new)) for event in mended] == [
        ({"null"}, {"null"}),
        ({"null", "food"}, {"food"}),
    ]


async def test_coming_trails_of_snail_mode_are_searched_and_not_shown() -> None:
    """The cell that a tail has left becomes a hazard as high as its snake is long."""
    play = Play()
    first = turn_with(4, snake("me", (5, 5)), snake("o", (9, 5), length=5))
    second = turn_with(5, snake("me", (5, 7)), snake("o", (9, 6), length=5))
    for turn in (first, second):
        game = msgspec.structs.replace(turn.game, map="snail_mode")
        with play.games.asking(msgspec.structs.replace(turn, game=game), CHOICE) as asked:
            asked.answer = answer("up")
    hazards = asked.view.position.turn.board.hazards
    assert hazards.count(Point(9, 1)) == 5 and hazards.count(Point(5, 3)) == 3
    assert asked.view.turn.board.hazards == []
