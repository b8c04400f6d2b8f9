"""Whether bodies can lie as they are said to."""

from hypothesis import given
from hypothesis import strategies as st

from searcher.engine.position import Point
from searcher.serving.body_rules import Ground, body_faults, shared_cells

FLAT = Ground(5, 5, wrapped=False)
TORUS = Ground(5, 5, wrapped=True)


def faulty_parts(body: list[Point], ground: Ground = FLAT) -> list[int]:
    """The indices of the parts that are wrong."""
    return [index for index, _ in body_faults(body, ground)]


@st.composite
def walks(draw: st.DrawFn) -> list[Point]:
    """A body as a snake leaves it behind on a wrapped board, its tail perhaps yet to unfold."""
    x, y = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    body = [(x, y)]
    for dx, dy in draw(st.lists(st.sampled_from([(0, 1), (0, -1), (1, 0), (-1, 0)]), max_size=12)):
        x, y = (x + dx) % 5, (y + dy) % 5
        if (x, y) not in body:
            body.append((x, y))
        else:
            x, y = body[-1]
    return body + body[-1:] * draw(st.integers(0, 2))


@given(walks())
def test_a_body_that_was_walked_is_right(body: list[Point]) -> None:
    """Nothing is said against a body that a snake can have, seams included."""
    assert faulty_parts(body, TORUS) == []
    assert list(shared_cells([body])) == []


@given(walks(), st.data())
def test_a_part_moved_away_is_noticed(body: list[Point], data: st.DataObject) -> None:
    """A part that is off the board is named, whichever it is."""
    index = data.draw(st.integers(0, len(body) - 1))
    body[index] = (5, 2)
    assert index in faulty_parts(body, TORUS)


def test_seams_join_only_wrapped_boards() -> None:
    """A body across the edge is whole on a wrapped board and torn on another."""
    body = [(4, 2), (0, 2), (1, 2)]
    assert faulty_parts(body, TORUS) == []
    assert faulty_parts(body, FLAT) == [1]


def test_stacked_parts_belong_to_the_tail() -> None:
    """Parts on one cell are right at the tail and wrong before it."""
    assert faulty_parts([(1, 1), (1, 1), (1, 1)]) == []
    assert faulty_parts([(1, 1), (1, 2), (1, 2)]) == []
    assert faulty_parts([(1, 1), (1, 1), (1, 2)]) == [1]
    assert faulty_parts([(1, 1), (1, 2), (1, 2), (1, 3)]) == [2]


def test_a_torn_body_is_named_where_it_is_torn() -> None:
    """The part after the gap is the wrong one; diagonal isn't connected."""
    assert faulty_parts([(1, 1), (1, 2), (2, 3), (2, 4)]) == [2]


def test_cells_used_twice_are_named_once() -> None:
    """The later use is wrong: of another body, or of the same."""
    one, other = [(1, 1), (1, 2)], [(2, 2), (1, 2), (1, 3)]
    assert [(snake, part) for snake, part, _ in shared_cells([one, other])] == [(1, 1)]
    ring = [(1, 1), (1, 2), (2, 2), (2, 1), (1, 1)]
    assert [(snake, part) for snake, part, _ in shared_cells([ring])] == [(0, 4)]


def test_a_board_without_size_bounds_nothing() -> None:
    """Where the size itself is wrong, points aren't blamed."""
    assert faulty_parts([(30, 30), (30, 31)], Ground(0, 0, wrapped=False)) == []
