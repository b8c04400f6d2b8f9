"""The official map "hz_islands_bridges": rivers of hazards around four islands, with bridges."""

from arena.games.maps._drawing import Drawing, Rivers

_RIVERS = Rivers(
    Drawing(
        """
        ##..###..##
        #..3.#.2..#
        ...........
        .3...#...2.
        #....#....#
        ##.#####.##
        #....#....#
        .1...#...4.
        ...........
        #..1.#.4..#
        ##..###..##
        """
    )
)

SIZES = _RIVERS.sizes
MOST_SNAKES = 4
set_up_board = _RIVERS.set_up_board
update_board = _RIVERS.update_board
