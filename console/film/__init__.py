"""Films and pictures of games: GIF, MP4, PNG and SVG of one drawing, and a page with the viewer."""

SIZES = (64, 2000)
"""The smallest and the largest number of pixels of the longer side of the board."""

SPEEDS = (1, 50)
"""The smallest and the largest number of turns a second. Browsers show no faster GIF."""
