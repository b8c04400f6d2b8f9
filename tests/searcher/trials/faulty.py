"""Faulty evaluators, with the reasons and the places of their faults."""

from pathlib import Path

from tests.searcher.plugins.packages import PACKAGE, source

FAULTY = {
    "raising": (
        source("return heads.strict(board.health[snake])"),
        "ValueError: too hungry",
        "heads.py:20",
    ),
    "misspelt": (
        source("one = 1\nreturn board.lenght[snake] + one"),
        "board and game have no 'lenght'; did you mean length?",
        "misspelt.py:10",
    ),
    "unknown": (
        source("return 1.0 + nothing(board)"),
        "name 'nothing' is not defined",
        "unknown.py:8",
    ),
    "plain": (
        source("return plain(board.health[snake])", "from plugged_snake.heads import plain"),
        "calls needs @njit",
        "plain.py:9",
    ),
    "partial": (
        source("if board.health[snake] > 1:\n    return 1.0"),
        "evaluate must return a float, but a path through it returns nothing",
        "partial.py:8",
    ),
    "mistyped": (source("return 'good'"), "must return a float", "mistyped.py:8"),
    "unreal": (source("return 0.0 / weights.values[9]"), "returns nan", "unreal.py:8"),
    "undeclared": (
        source("return weights.values[1] * 0.5"),
        "uses more weights than the ",
        "undeclared.py:8",
    ),
    "outside": (source("return board.health[snake + 99] + 0.0"), "out of bounds", "outside.py:8"),
    "writing": (source("board.health[snake] = 100\nreturn 0.0"), "changes", "writing.py:8"),
    "crashing": (
        source(
            "return intrinsics.peek(board.health[snake] * 0) + 0.0",
            "from searcher.engine.jit import intrinsics",
        ),
        "Segmentation fault",
        "crashing.py:8",
    ),
    "printing": (
        source("print(snake)\nreturn 0.0"),
        "evaluate calls Python, for example by print",
        "printing.py:8",
    ),
    "importing": (
        source("return 0.0", "import nothing_like_it"),
        "No module named",
        "importing.py:3",
    ),
    "garbled": ("\ndef evaluate(:", "invalid syntax", "garbled.py:2"),
    "bare": ("DESCRIPTION = 'For a test.'", "WEIGHTS is missing", "bare.py:1"),
    "heavy": (
        source("return 0.0", weights='(Weight("a", 2.0, 0.0, 1.0, "x"),)'),
        "WEIGHTS [0], 'a': default must be 0.0 to 1.0, not 2.0",
        "heavy.py:5",
    ),
    "twice": (
        source("return 0.0", weights='(Weight("a", 0.0, 0.0, 1.0, "x"),) * 2'),
        "WEIGHTS [1], 'a': name is given twice",
        "twice.py:5",
    ),
    "few": ("DESCRIPTION = 'x'\nWEIGHTS = ()\n\ndef evaluate(game): ...", "not (game)", "few.py:4"),
    "narrow": (
        source("return 0.0") + "\n\ndef at_least(game): ...\n",
        "at_least must take (game, board, weights, snake, move), not (game)",
        "narrow.py:11",
    ),
    "promising": (
        source("return board.length[snake] / 100.0")
        + "\n\ndef at_least(game, board, weights, snake, move):\n    return 0.5\n",
        "at_least returns 0.5 for a move after which",
        "promising.py:8",
    ),
    "area": (
        source("return 0.0"),
        "the name 'area' is taken by searcher.evaluators.area",
        "area.py:1",
    ),
}
"""By name: the source, the reason of its fault, and the fault's place."""

USELESS = {
    "far": source("return 3 * board.length[snake]"),
    "flat": source("return 1"),
    "drawn": source("return random.random()", "import random"),
    "greedy": source("return np.full(4, board.length[snake] / 200.0)[0]", "import numpy as np"),
}
"""Evaluators that pass, although a search can't use their values, or not quickly."""

_LOOP = "total = 0\nwhile total <= board.health[snake]:\n    total ^= 1\nreturn total"

ENDLESS = {
    "late": source("while board.length[snake] >= 17:\n    pass\nreturn board.length[snake] / 100.0"),
    "endless": source(_LOOP),
    "idle": source("while True:\n    pass"),
    "hopeful": source("return board.length[snake] / 100.0")
    + "\n\ndef at_least(game, board, weights, snake, move):\n    "
    + _LOOP.replace("\n", "\n    "),
    "huge": source("return TABLE[board.health[snake]] / 100.0", "TABLE = tuple(range(30000))"),
}
"""Evaluators that never end, and one whose compiling takes minutes."""


def assert_reported(lines: list[str], name: str, site: Path) -> None:
    """Assert that one of the lines has the reason and the place of an evaluator's fault."""
    _, reason, place = FAULTY[name]
    (line,) = (line for line in lines if f"evaluator {name} is left out: " in line)
    assert reason in line
    assert f"({site}/{PACKAGE}/{place})" in line
