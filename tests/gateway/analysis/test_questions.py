"""Questions about a position."""

import msgspec
import pytest

from battlesnake_search.plan import Limits
from battlesnake_search.reader import BadBody
from gateway.analysis.questions import Question, SearchQuestion, plan_of, position_asked
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
    """They are what the page asks for, too."""
    assert (_asked().time_ms, _asked().threads) == (1000, 1)


def test_only_a_search_has_threads() -> None:
    """Weights and strategy are those of the question."""
    search = plan_of(SearchQuestion(POSITION, strategy="s/e", weights={"w": 2.0}, threads=3))
    assert (search.strategy, search.evaluator_weights, search.limits) == (
        "s/e",
        {"w": 2.0},
        Limits(threads=3),
    )
    assert plan_of(Question(POSITION)).limits == Limits()


def test_a_malformed_strategy_is_named() -> None:
    """The error has the field."""
    with pytest.raises(BadBody, match="neither auto nor of the form") as refusal:
        plan_of(Question(POSITION, strategy="paranoid"))
    assert refusal.value.field == "strategy"


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
