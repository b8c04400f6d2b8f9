"""The bounds of a position, of bodies and of messages, and the evaluator of a strategy that names none."""

MAX_SIDE = 25
"""The longest side of a board, in cells."""

MAX_SNAKES = 8
"""The largest number of snakes in a position."""

LARGEST_BODY = 262_144
"""The largest body of an engine's request in bytes. The official engine's largest body has about half of it:
8 snakes of 40 parts each on 25x25 cells in snail mode, with 7,000 layers of hazards."""

LARGEST_MESSAGE = 64 * 1024
"""Bytes of a call's message to a searcher: three times the largest position.

Decoding more would take too much of the event loop's time.
"""

LARGEST_GAME = 1024 * 1024
"""Bytes of a message with a whole game."""

FALLBACK_EVALUATOR = "balanced"
"""The evaluator of a strategy that names none."""
