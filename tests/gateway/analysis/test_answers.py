"""The searcher's answers as JSON."""

from battlesnake_search.contract import analysis_pb2, search_pb2
from gateway.analysis import answers
from tests.gateway.store.game_samples import result_of, turn_at

TURN = turn_at(42)
IDS = [snake.id for snake in TURN.board.snakes]


def test_a_decision_has_what_the_search_found() -> None:
    """Only the best move's score is exact, and the expected moves are in the order of the snakes."""
    found = answers.decision(result_of(TURN), [*IDS[:2], "stranger"], 500.0)
    assert (found["move"], found["strategy"], found["late"]) == ("up", "paranoid/area", False)
    assert (found["depth"], found["nodes"], found["evaluations"], found["score"]) == (9, 1000, 500, 0.25)
    assert (found["time_ms"], found["budget_ms"], found["left_ms"]) == (380.0, 500.0, None)
    assert found["outcome"] is None and found["stop"] == "solved"
    assert found["moves"] == [
        {"move": "up", "score": 0.25, "depth": 9, "outcome": None, "exact": True},
        {"move": "left", "score": -1.0, "depth": 4, "outcome": {"kind": "loss", "turns": 3}, "exact": False},
    ]
    assert found["pv"] == [["up", "left", None], ["left", None, None]]


def test_the_end_is_that_of_the_best_move() -> None:
    """A move that is not the first of those compared has no known end."""
    result = result_of(TURN)
    result.root_moves.reverse()
    assert answers.decision(result, IDS, 500.0)["outcome"] is None
    result.move = search_pb2.DIRECTION_LEFT
    assert answers.decision(result, IDS, 500.0)["outcome"] == {"kind": "loss", "turns": 3}
    del result.root_moves[:]
    assert answers.decision(result, IDS, 500.0)["outcome"] is None


def test_times_have_a_tenth_of_a_millisecond() -> None:
    """A search is measured in microseconds."""
    result = result_of(TURN)
    result.elapsed.FromMicroseconds(12_345)
    assert answers.decision(result, IDS, 500.0)["time_ms"] == 12.3


def test_a_death_without_another_snake_has_nobody_to_blame() -> None:
    """The board is as in a request, and each death has its cause."""
    answer = analysis_pb2.AdvanceResponse(over=True)
    answer.position.turn = 8
    answer.position.board.width, answer.position.board.height = 7, 9
    answer.position.board.food.add(x=1, y=2)
    answer.position.board.snakes.add(id="a", name="n", health=50).body.add(x=3, y=4)
    answer.deaths.add(snake_id="b", cause="wall-collision")
    answer.deaths.add(snake_id="c", cause="head-collision", by_id="a")
    assert answers.turn(answer) == {
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
