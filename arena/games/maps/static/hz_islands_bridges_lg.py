"""The official map "hz_islands_bridges_lg": "hz_islands_bridges" on 19x19."""

from arena.games.maps._drawing import Drawing, Rivers

_RIVERS = Rivers(
    Drawing(
        """
        ####..#######..####
        ##......###......##
        #.4...4..#..3...3.#
        #........#........#
        ...................
        .........#.........
        #.4...4..#..3...3.#
        #........#........#
        ##......###......##
        ####.#########.####
        ##......###......##
        #........#........#
        #.1...1..#..2...2.#
        .........#.........
        ...................
        #........#........#
        #.1...1..#..2...2.#
        ##......###......##
        ####..#######..####
        """
    )
)

SIZES = _RIVERS.sizes
set_up_board = _RIVERS.set_up_board
update_board = _RIVERS.update_board
