"""Hypothesis strategies for turns: any valid ones, and realistic ones of games."""

from hypothesis import strategies as st

from battlesnake_search.board import Board, Game, Point, Royale, Ruleset, Settings, Snake, Turn
from battlesnake_search.contract.rulesets import RULESETS

_int32 = st.integers(-(2**31), 2**31 - 1)
_counts = st.integers(0, 2**31 - 1)
_sides = st.integers(1, 2**31 - 1)
_points = st.builds(Point, _int32, _int32)
_characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
_texts = st.text(_characters, max_size=8)
_snakes = st.builds(
    Snake,
    st.text(_characters, min_size=1, max_size=8),
    st.lists(_points, min_size=1, max_size=6),
    _texts,
    st.integers(0, 100),
    _texts,
)


@st.composite
def any_turn(draw: st.DrawFn, is_asked: bool = False) -> Turn:
    """Draw any turn as the reader returns it, even a senseless one.

    `is_asked`: our snake is on the board, as in a position that is searched.
    """
    settings_ = st.builds(Settings, st.integers(0, 100), _counts, _int32, st.builds(Royale, _counts))
    ruleset = st.builds(Ruleset, st.sampled_from(RULESETS), settings_)
    snakes = draw(st.lists(_snakes, min_size=is_asked, max_size=4, unique_by=lambda snake: snake.id))
    width, height = draw(_sides), draw(_sides)
    food = st.builds(Point, st.integers(0, width - 1), st.integers(0, height - 1))
    hazards = draw(st.lists(_points, max_size=4))
    board = Board(width, height, snakes, draw(st.lists(food, max_size=4, unique=True)), hazards)
    game = draw(st.builds(Game, _texts, ruleset, _texts, _counts))
    taken = {snake.id for snake in snakes}
    stranger = _snakes.filter(lambda snake: snake.id not in taken)
    yours = st.sampled_from(snakes) if snakes else stranger
    return Turn(game, board, draw(yours if is_asked else yours | stranger), draw(_counts))


@st.composite
def game_turn(draw: st.DrawFn) -> Turn:
    """Draw a turn of a game: the bodies are connected, lie on a small board and don't overlap."""
    width, height = draw(st.integers(2, 7)), draw(st.integers(2, 7))
    wrapped = draw(st.booleans())
    taken: set[tuple[int, int]] = set()
    snakes: list[Snake] = []
    for name in draw(st.sampled_from(["a", "ab", "abc"])):
        body = _draw_body(draw, width, height, taken)
        if body:
            health = draw(st.sampled_from([1, 15, 100]))
            snakes.append(Snake(name, [Point(*cell) for cell in body], name, health))
    cells = st.builds(Point, st.integers(0, width - 1), st.integers(0, height - 1))
    board = Board(width, height, snakes, draw(st.lists(cells, max_size=3)), draw(st.lists(cells, max_size=4)))
    rules = Ruleset("wrapped" if wrapped else "standard", Settings(hazard_damage_per_turn=14))
    return Turn(Game("g", rules), board, snakes[0], 5)


def _draw_body(
    draw: st.DrawFn, width: int, height: int, taken: set[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Draw a walk over free cells, perhaps with a stacked tail."""
    free = [(x, y) for x in range(width) for y in range(height) if (x, y) not in taken]
    if not free:
        return []
    body = [draw(st.sampled_from(free))]
    taken.add(body[0])
    for _ in range(draw(st.integers(0, 7))):
        x, y = body[-1]
        near = [c for c in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if c in free and c not in taken]
        if not near:
            break
        body.append(draw(st.sampled_from(near)))
        taken.add(body[-1])
    return body + [body[-1]] * draw(st.integers(0, 2))
