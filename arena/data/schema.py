"""The columns of the data: one row for each position, with a list of its snakes."""

import pyarrow as pa

VERSION = "1"
"""The version of the columns; files of another one are refused."""

VERSION_KEY = b"battlesnake.version"

UNKNOWN_MOVE = 255

FOLDS = 10
"""The games are split into this many parts, for cross-validation."""

_CELLS = pa.list_(pa.uint16())
"""Cells as y * width + x."""

SNAKE = pa.struct(
    [
        # From 0, the same in all positions of a game.
        ("seat", pa.uint8()),
        ("player", pa.string()),
        ("health", pa.uint8()),
        # Head first; parts yet to unfold repeat the tail's cell.
        ("body", _CELLS),
        # 0 to 3 for up, down, left and right, or UNKNOWN_MOVE, also for one that was made at random.
        ("move", pa.uint8()),
        # Of the search that chose the move, from -1 to 1; null if none is known.
        ("score", pa.float32()),
        # The share of the game's other snakes that it outlived, from 0 to 1.
        ("outcome", pa.float32()),
        # From 1, in the whole game.
        ("place", pa.uint8()),
        # The turns that it still plays, this one included.
        ("turns_left", pa.uint16()),
    ]
)

SCHEMA = pa.schema(
    [
        ("game", pa.string()),
        # From 0, the same for all positions of a game.
        ("fold", pa.uint8()),
        # The same for equal positions: size, rules, food, hazards and snakes.
        ("digest", pa.int64()),
        ("turn", pa.uint16()),
        ("width", pa.uint8()),
        ("height", pa.uint8()),
        ("ruleset", pa.string()),
        ("hazard_damage", pa.int16()),
        ("food", _CELLS),
        # A cell that is repeated k times has k layers.
        ("hazards", _CELLS),
        ("snakes", pa.list_(SNAKE)),
    ],
    metadata={VERSION_KEY: VERSION},
)
