"""What is kept of the webhooks of a game."""

from dataclasses import replace

from gateway.replay.values import GameSnake
from gateway.store.observation import decision_of, header_of, own, position_of, snake_of
from gateway.store.records import IMPORTED, RECORDED, RootMove
from tests.gateway.scripted_searcher import body
from tests.gateway.store.game_samples import CHOICE, reflex, searched, turn_at, with_latency
from tests.gateway.store.outcome_samples import choice, turn_of

TURN = turn_at(42)


def test_a_header_has_what_stays() -> None:
    """It has the rules, the board and the snakes of the first turn, and who has played it."""
    header = header_of(TURN)
    assert (header.id, header.source, header.ruleset) == (TURN.game.id, RECORDED, "standard")
    assert (header.width, header.height, header.timeout_ms, header.map) == (11, 11, 500, TURN.game.map)
    assert [snake.id for snake in header.snakes] == [snake.id for snake in TURN.board.snakes]
    assert (header.settings, header.version) == (TURN.game.ruleset.settings, TURN.game.ruleset.version)
    assert (header.turns, header.ended_at, header.winner) == (0, None, None)
    assert header_of(TURN, IMPORTED).source == IMPORTED


def test_looks_are_read_as_far_as_they_are_valid() -> None:
    """Nobody's looks are worth a game."""
    sent = body()
    for raw, looks in (
        ({"color": "#123456", "head": "fang", "tail": "bolt"}, ("#123456", "fang", "bolt")),
        ({"head": "fang"}, ("", "fang", "")),
        ({"color": [], "tail": None, "head": "fang"}, ("", "fang", "")),
        ("red", ("", "", "")),
    ):
        sent["board"]["snakes"][0]["customizations"] = raw
        snake = turn_of(sent).board.snakes[0]
        seen = snake_of(snake)
        assert (seen.id, seen.name, seen.ours) == (snake.id, snake.name, False)
        assert (seen.color, seen.head, seen.tail) == looks


def test_our_snakes_have_what_the_routes_chose() -> None:
    """That is the arm, its strategy and the experiment."""
    ours = own(GameSnake("a", "b", "#123456"), choice("colours", "blue", "maxn/area"))
    assert ours == GameSnake("a", "b", "#123456", "", "", True, "maxn/area", "colours", "blue")
    assert own(GameSnake("a", "b"), choice()).strategy == ""


def test_a_position_has_the_board() -> None:
    """Bodies, health and latencies are those of the turn."""
    turn = with_latency(TURN, "87")
    position = position_of(turn)
    assert position.turn == 42
    assert position.food == [(point.x, point.y) for point in turn.board.food]
    assert position.hazards == [(point.x, point.y) for point in turn.board.hazards]
    for snake in turn.board.snakes:
        standing = position.snakes[snake.id]
        assert standing.body == [(point.x, point.y) for point in snake.body]
        assert (standing.health, standing.latency) == (snake.health, snake.milliseconds)
    assert position.snakes[turn.you.id].latency == 87.0


def test_a_reflex_has_no_search() -> None:
    """It has its times in milliseconds and the strategy that was to play."""
    decided = decision_of(TURN, CHOICE, reflex(late=True))
    assert (decided.turn, decided.snake, decided.move) == (42, TURN.you.id, "down")
    assert (decided.source, decided.strategy) == ("reflex", "paranoid/area")
    assert (decided.time, decided.budget, decided.left) == (600.0, 420.0, -100.0)
    assert (decided.depth, decided.score, decided.moves, decided.pv) == (None, None, [], {})


def test_a_search_has_what_it_found() -> None:
    """The time is the search's own; moves have their proven ends, and expected ones a letter each."""
    decided = decision_of(TURN, CHOICE, searched(TURN))
    assert (decided.time, decided.budget, decided.left) == (380.0, 420.0, 100.0)
    assert (decided.depth, decided.nodes, decided.evaluations, decided.score) == (9, 1000, 500, 0.25)
    assert decided.stop is not None
    assert decided.moves == [RootMove("up", 0.25, 9), RootMove("left", -1.0, 4, "loss", 3)]
    you, other = (snake.id for snake in TURN.board.snakes[:2])
    assert decided.pv == {you: "ul", other: "l."}


def test_a_search_without_a_message_has_no_details() -> None:
    """It is a search all the same."""
    answer = searched(TURN)
    assert answer.result is not None
    decided = decision_of(TURN, CHOICE, replace(answer, result=replace(answer.result, message=None)))
    assert (decided.depth, decided.evaluations, decided.stop) == (9, 0, None)
    assert (decided.moves, decided.pv) == ([], {})


def test_times_have_a_tenth_of_a_millisecond() -> None:
    """More digits would be noise."""
    answer = reflex()
    exact = type(answer)("down", answer.source, 0.10004, 0.39996, None, (), False, 0.42)
    decided = decision_of(TURN, CHOICE, exact)
    assert (decided.time, decided.left) == (100.0, 400.0)
    rough = type(answer)("down", answer.source, 0.10006, 0.3, None, (), False, 0.42)
    assert decision_of(TURN, CHOICE, rough).time == 100.1
