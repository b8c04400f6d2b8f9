"""The official map "arcade_maze": a maze with walls of hazards on 19x21, and food on a few cells."""

from arena.games.maps import BoardUpdate
from arena.games.maps._drawing import HAZARD, Drawing
from arena.games.maps._food_and_starts import cells_of_snakes, rng_for, start_with
from arena.records import Rules, Start
from searcher.engine.position import Position

_MAZE = Drawing(
    """
    #.###############.#
    #........#........#
    #.##.###.#.###.##.#
    #...S....o....S...#
    #.##.#.#####.#.##.#
    #....#...#...#....#
    #..#.###.#.###.#..#
    #..#.#...6...#.#..#
    ####.#.#.#.#.#.####
    ...o...#.o.#...o...
    ####.#.#.#.#.#.####
    #..#.#...5...#.#..#
    #..#.#.#####.#.#..#
    #...S....#....S...#
    #.##.###.#.###.##.#
    #..#.....o.....#..#
    ##.#.#.#####.#.#.##
    #....#...#...#....#
    #.######.#.######.#
    #o.......o.......o#
    #.###############.#
    """
)
"""S: food, and the start of one of the first four snakes. 5, 6: start of the fifth and sixth. o: food."""

_CENTRE = (9, 11)

SIZES = (_MAZE.size,)
MOST_SNAKES = 6


def set_up_board(rules: Rules, snakes: int, seed: int) -> Start:
    """Place the snakes, the first four at random, and food in the centre if there must be any."""
    first = _MAZE.cells("S")
    heads = [*rng_for(seed, "start").sample(first, len(first)), *_MAZE.cells("5"), *_MAZE.cells("6")]
    food = (_CENTRE,) if rules.minimum_food else ()
    return start_with(heads[:snakes], food, _MAZE.cells(HAZARD))


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add a piece of food by chance, regardless of the minimum, also next to a head.

    In the official engine, food does not appear on bodies of dead snakes either.
    """
    rng = rng_for(seed, f"food {position.turn}")
    # The official engine of this map draws like this: a chance of 15 means 16 in 100.
    if not rules.food_spawn_chance or rng.randrange(100) > rules.food_spawn_chance:
        return BoardUpdate()
    taken = cells_of_snakes(position).union(position.food)
    cells = [cell for cell in _MAZE.cells("So") if cell not in taken]
    return BoardUpdate(food=tuple(rng.sample(cells, min(1, len(cells)))))
