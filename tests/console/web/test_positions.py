"""Questions about a position, and the searcher's answers as JSON."""

import msgspec
import pytest

from battlesnake_search.contract import analysis_pb2, search_pb2
from battlesnake_search.plan import Limits
from battlesnake_search.reader import BadBody
from console.web import positions
from console.web.positions import Question, SearchQuestion, plan_of, position_asked
from tests.console.store.game_samples import result_of, turn_at
from tests.gateway.scripted_searcher import body

POSITION = msgspec.Raw(msgspec.json.encode(body()))


def _asked(**fields: int) -> SearchQuestion:
    sent = {"position": body("standard-move-mid-42")} | fields
    return msgspec.json.decode(msgspec.json.encode(sent), type=SearchQuestion)


@pytest.mark.parametrize(
    ("field", "valid", "invalid"),
    [("time_ms", (10, 60_000), (9, 60_001)), ("threads", (1, 64), (0, 65))],
)
def test_times_and_threads_are_bounded(field: str, valid: tuple[int, int], invalid: tuple[int, int]) -> None:
    """The ends of each range are valid."""
    assert [getattr(_asked(**{field: value}), field) for value in valid] == [*valid]
    for value in invalid:
        with pytest.raises(msgspec.ValidationError, match=field):
            _asked(**{field: value})


def test_a_question_has_a_second_and_a_thread_by_default() -> None:
    """The page has the same defaults."""
    assert (_asked().time_ms, _asked().threads) == (1000, 1)


def test_only_a_search_has_threads() -> None:
    """The weights and the strategy are from the question."""
    search = plan_of(SearchQuestion(POSITION, strategy="s/e", weights={"w": 2.0}, threads=3))
    assert (search.strategy, search.evaluator_weights, search.limits) == (
        "s/e",
        {"w": 2.0},
        Limits(threads=3),
    )
    assert plan_of(Question(POSITION)).limits == Limits()


def test_a_position_is_read_as_that_of_a_move() -> None:
    """A body that needs a mend has the same position; one without a board or our snake is refused."""
    sent = body()
    sent["game"] |= {"timeout": "many"}
    mended = position_asked(Question(msgspec.Raw(msgspec.json.encode(sent)))).turn
    as_sent = position_asked(Question(POSITION)).turn
    assert [snake.body for snake in mended.board.snakes] == [snake.body for snake in as_sent.board.snakes]
    for raw, field in (
        (b"{}", "position.board"),
        (b"[]", "position"),
        (msgspec.json.encode(sent | {"you": {"id": "gone"}}), "position.you"),
    ):
        with pytest.raises(BadBody) as refusal:
            position_asked(Question(msgspec.Raw(raw)))
        assert refusal.value.field == field


TURN = turn_at(42)
IDS = [snake.id for snake in TURN.board.snakes]


def test_a_decision_has_what_the_search_found() -> None:
    """Only the best move's score is exact, and the expected moves are in the order of the snakes."""
    found = positions.decision(result_of(TURN), [*IDS[:2], "stranger"], 500.0)
    assert (found["move"], found["strategy"], found["late"]) == ("up", "paranoid/area", False)
    assert (found["depth"], found["nodes"], found["evaluations"], found["score"]) == (9, 1000, 500, 0.25)
    assert (found["time_ms"], found["budget_ms"], found["left_ms"]) == (380.0, 500.0, None)
    assert found["outcome"] is None and found["stop"] == "solved"
    assert found["moves"] == [
        {"move": "up", "score": 0.25, "depth": 9, "outcome": None, "exact": True},
        {"move": "left", "score": -1.0, "depth": 4, "outcome": {"kind": "loss", "turns": 3}, "exact": False},
    ]
    assert found["pv"] == [["up", "left", None], ["left", None, None]]


def test_a_score_is_exact_if_the_searcher_says_so() -> None:
    """Otherwise only the best one is."""
    result = result_of(TURN)
    result.root_moves[0].score_kind = search_pb2.SCORE_KIND_UPPER_BOUND
    result.root_moves[1].score_kind = search_pb2.SCORE_KIND_EXACT
    assert [each["exact"] for each in positions.decision(result, IDS, 500.0)["moves"]] == [False, True]


def test_the_end_is_that_of_the_best_move() -> None:
    """Only the first compared move has a known end."""
    result = result_of(TURN)
    result.root_moves.reverse()
    assert positions.decision(result, IDS, 500.0)["outcome"] is None
    result.move = search_pb2.DIRECTION_LEFT
    assert positions.decision(result, IDS, 500.0)["outcome"] == {"kind": "loss", "turns": 3}
    del result.root_moves[:]
    assert positions.decision(result, IDS, 500.0)["outcome"] is None


def test_a_death_without_another_snake_has_nobody_to_blame() -> None:
    """The board is as in a request, and each death has its cause."""
    answer = analysis_pb2.AdvanceResponse(over=True)
    answer.position.turn = 8
    answer.position.board.width, answer.position.board.height = 7, 9
    answer.position.board.food.add(x=1, y=2)
    answer.position.board.snakes.add(id="a", name="n", health=50).body.add(x=3, y=4)
    answer.deaths.add(snake_id="b", cause="wall-collision")
    answer.deaths.add(snake_id="c", cause="head-collision", by_id="a")
    assert positions.turn(answer) == {
        "turn": 8,
        "board": {
            "width": 7,
            "height": 9,
            "food": [{"x": 1, "y": 2}],
            "hazards": [],
            "snakes": [{"id": "a", "name": "n", "health": 50, "body": [{"x": 3, "y": 4}]}],
        },
        "deaths": [
            {"snake": "b", "cause": "wall-collision", "by": None},
            {"snake": "c", "cause": "head-collision", "by": "a"},
        ],
        "over": True,
    }
