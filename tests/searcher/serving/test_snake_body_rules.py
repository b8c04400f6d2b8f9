"""The rules for valid bodies."""

from hypothesis import given
from hypothesis import strategies as st

from searcher.engine.position import Point
from searcher.serving.translate import BoardExtent, body_faults, shared_cells

FLAT = BoardExtent(5, 5, wrapped=False)
TORUS = BoardExtent(5, 5, wrapped=True)


def faulty_parts(body: list[Point], extent: BoardExtent = FLAT) -> list[int]:
    """Return the indices of the invalid parts."""
    return [index for index, _ in body_faults(body, extent)]


@st.composite
def walks(draw: st.DrawFn) -> list[Point]:
    """Return a body that a snake can have on a wrapped board, perhaps with a tail yet to unfold."""
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
def test_a_walked_body_is_valid(body: list[Point]) -> None:
    """Every body that a snake can have is valid, across seams as well."""
    assert faulty_parts(body, TORUS) == []
    assert list(shared_cells([body])) == []


def test_seams_join_only_wrapped_boards() -> None:
    """A body across the edge is connected on a wrapped board only."""
    body = [(4, 2), (0, 2), (1, 2)]
    assert faulty_parts(body, TORUS) == []
    assert faulty_parts(body, FLAT) == [1]


def test_a_part_off_the_board_is_next_to_none_across_a_seam() -> None:
    """The part after it is invalid as well, a whole board away."""
    assert faulty_parts([(5, 2), (0, 3)], TORUS) == [0, 1]


def test_stacked_parts_belong_to_the_tail() -> None:
    """Parts may share a cell at the tail but not before it."""
    assert faulty_parts([(1, 1), (1, 1), (1, 1)]) == []
    assert faulty_parts([(1, 1), (1, 2), (1, 2)]) == []
    assert faulty_parts([(1, 1), (1, 1), (1, 2)]) == [1]
    assert faulty_parts([(1, 1), (1, 2), (1, 2), (1, 3)]) == [2]


def test_cells_used_twice_are_named_once() -> None:
    """The later part is invalid, whether it belongs to another body or to the same one."""
    one, other = [(1, 1), (1, 2)], [(2, 2), (1, 2), (1, 3)]
    assert [(snake, part) for snake, part, _ in shared_cells([one, other])] == [(1, 1)]
    ring = [(1, 1), (1, 2), (2, 2), (2, 1), (1, 1)]
    assert [(snake, part) for snake, part, _ in shared_cells([ring])] == [(0, 4)]
    stacked = [(1, 1), (1, 1), (1, 2), (1, 1)]
    assert [(snake, part) for snake, part, _ in shared_cells([stacked])] == [(0, 3)]


def test_a_board_without_size_bounds_nothing() -> None:
    """If the board's size is invalid, its points are not violations as well."""
    assert faulty_parts([(30, 30), (30, 31)], BoardExtent(0, 0, wrapped=False)) == []
