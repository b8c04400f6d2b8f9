"""Faulty evaluators, with the reasons and the places of their faults."""

from pathlib import Path

from tests.searcher.plugins.packages import PACKAGE, alone, source

_SHARE = '(Weight("share", 1.0, 0.0, 1.0, "of a share"),)'

FAULTY = {
    "raising": (
        source("return heads.strict(board.health[snake])"),
        "ValueError: too hungry",
        "heads.py:20",
    ),
    "misspelt": (
        source("one = 1\nreturn board.lenght[snake] + one"),
        "board has no field 'lenght'; nearest: length",
        "misspelt.py:10",
    ),
    "misplaced": (
        source("return board.ring[0] * 0.1"),
        "board has no field 'ring'; game.ring is a field",
        "misplaced.py:9",
    ),
    "unindexed": (
        source("return weights.values[SHARE]", weights=_SHARE),
        "name 'SHARE' is not defined; define the index of its weight: SHARE = 0",
        "unindexed.py:8",
    ),
    "named": (
        source("return weights.values['share']", weights=_SHARE),
        "weights.values['share'] needs an index, not a name; valid: weights.values[0] for share",
        "named.py:9",
    ),
    "dotted": (
        source("return weights.share", weights=_SHARE),
        "weights has only the field values, not 'share'; valid: weights.values[0] for share",
        "dotted.py:9",
    ),
    "unvalued": (
        source("return weights[0] * 1.0", weights=_SHARE),
        "a weight is weights.values[INDEX]",
        "unvalued.py:8",
    ),
    "misread": (
        source("return cells.cuont(cells.load(board, 'bodies')) * 0.1", "from searcher.toolkit import cells"),
        "has no 'cuont'; nearest: count",
        "misread.py:9",
    ),
    "plain": (
        source("return plain(board.health[snake])", "from plugged_snake.heads import plain"),
        "plain is a plain function; what evaluate calls needs @njit (from searcher.toolkit import njit)",
        "plain.py:9",
    ),
    "miscalling": (
        source("return area(board, snake) * 0.1", "from searcher.toolkit import area"),
        "a call does not fit area(game, board, snake: int) -> tuple[int, int]: missing a required",
        "miscalling.py:9",
    ),
    "calling": (source("return board.length(snake) * 0.1"), "an array is not a function", "calling.py:9"),
    "unpacking": (
        source("one, two = board.health[snake]\nreturn one * 0.1"),
        "an integer can't be unpacked into these names",
        "unpacking.py:9",
    ),
    "generating": (
        source("return max(board.length[other] for other in range(2)) * 0.1"),
        "a generator, such as f(x) for x in y, can't be compiled; write a loop",
        "generating.py:9",
    ),
    "unimported": (
        source("return nearest_food(game, board, board.head[snake]) * 0.1"),
        "name 'nearest_food' is not defined; from searcher.toolkit import nearest_food",
        "unimported.py:8",
    ),
    "averaging": (source("return board.length.average()"), "an array has no 'average'", "averaging.py:9"),
    "visiting": (
        source(
            "for cell in cells.load(board, 'food'):\n    return 0.5\nreturn 0.0",
            "from searcher.toolkit import cells",
        ),
        "a for loop can't visit a set of cells; docs/evaluators.md#each-cell-of-a-set has a loop that can",
        "visiting.py:9",
    ),
    "wordy": (
        source("total = 0.0\nfor cell in board.food:\n    total += 0.01\nreturn total"),
        'board.food is no set: cells.load(board, "food") is',
        "wordy.py:10",
    ),
    "mixing": (
        source(
            "near = neighbours(game, cells.load(board, 'food'))\nreturn cells.count(snake & near) * 0.1",
            "from searcher.toolkit import cells, neighbours",
        ),
        "& can't be used with an integer and a set of cells",
        "mixing.py:10",
    ),
    "late": (
        source("import random\nreturn random.random()"),
        "a function can't import; write the import at the top of the file",
        "late.py:9",
    ),
    "global": (
        source("global COUNT\nCOUNT = 1\nreturn 0.0"),
        "compiled code can't change a global variable",
        "global.py:10",
    ),
    "formatting": (
        source("text = f'{board.health[snake] / 2:.2f}'\nreturn len(text) / 9"),
        "compiled code can't format numbers",
        "formatting.py:9",
    ),
    "catching": (
        source("try:\n    return 1 / board.health[snake]\nexcept ZeroDivisionError:\n    return 1.0"),
        "compiled code can't tell exceptions apart, and a division by 0 raises none",
        "catching.py:11",
    ),
    "classy": (
        source("return Scorer().score(1.0)", "class Scorer:\n    pass"),
        "Scorer is a class, and compiled code can't use classes",
        "classy.py:10",
    ),
    "capturing": (
        source("one = board.health[snake]\nreturn max(range(4), key=lambda move: move * one) * 0.1"),
        "a lambda can't use the variables of its function; write a loop",
        "capturing.py:10",
    ),
    "pathless": (
        source(
            "return share(board, snake) * 1.0",
            "from searcher.toolkit import njit\n\n\n@njit\ndef share(board, snake):\n"
            "    if board.length[snake] > 5:\n        return 0.5\n\n",
        ),
        "a value is None on a path, as after x = None or a function that returns nothing",
        "pathless.py:16",
    ),
    "retyped": (
        source("near = 'yes'\nif board.length[snake] > 3:\n    near = False\nreturn 0.5 if near else 0.1"),
        "near is a text here and a truth value there",
        "retyped.py:12",
    ),
    "uncounted": (
        source("return 0.0", "", "(Weight('a', 0.5, 0.0, 1.0, 'x'),)\nA, B = range(len(WEIGHTS))"),
        "the line has more or fewer names than values: not enough values to unpack (expected 2, got 1)",
        "uncounted.py:6",
    ),
    "recursive": (
        source("return evaluate(game, board, weights, snake)"),
        "evaluate can't call itself; move what repeats into a function with @njit",
        "recursive.py:9",
    ),
    "runaway": (
        source(
            "return down(1.0)",
            "from searcher.toolkit import njit\n\n\n@njit\ndef down(n):\n    return down(n)",
        ),
        "a function calls itself on each of its paths; end one without a call, or write a loop",
        "runaway.py:8",
    ),
    "starred": (
        source("return max(*board.length) * 0.1"),
        "* in a call needs a tuple; write a loop over the array",
        "starred.py:9",
    ),
    "matching": (
        source("match (snake, 2):\n    case (one, _):\n        return one * 0.1\nreturn 0.2"),
        "compiled code can't match sequences, mappings or classes; write if",
        "matching.py:10",
    ),
    "naming": (
        source("try:\n    return 1 / board.health[snake]\nexcept Exception as error:\n    return 0.2"),
        "compiled code can't name an exception; write except Exception:",
        "naming.py:11",
    ),
    "listless": (
        source("near = []\nreturn len(near) * 0.1"),
        "the type of an empty list or dict is unknown; begin with an item, as in [0.0]",
        "listless.py:9",
    ),
    "walrus": (
        source("if (own := board.length[snake]) > 3:\n    return own * 0.01\nreturn 0.1"),
        "the type of a value is unknown; assign it on a line of its own, without :=",
        "walrus.py:8",
    ),
    "numbered": (
        source("return area(game, snake, board)[0] * 0.01", "from searcher.toolkit import area"),
        "a call has an integer in place of game or board",
        "numbered.py:9",
    ),
    "yielding": (
        source("yield 0.5"),
        "evaluate must be a plain function without async or yield",
        "yielding.py:8",
    ),
    "decorated": (
        source("return 0.0", "from searcher.toolkit import njit").replace("\ndef", "\n@njit\ndef"),
        "evaluate must be a plain function without a decorator",
        "decorated.py:9",
    ),
    "halved": (
        source("return board.length[snake] / 0"),
        "evaluate returns inf, as after a division by 0, with weights {}",
        "halved.py:8",
    ),
    "next_seat": (source("return board.head[snake + 1] * 0.001"), "out of bounds", "next_seat.py:8"),
    "brief": (
        source("return 0.0", weights='(Weight("share", 0.5),)'),
        "a weight has five parts: Weight(name, default, minimum, maximum, description)",
        "brief.py:5",
    ),
    "asking": (source("input()\nreturn 0.0"), "compiled code can't call input", "asking.py:9"),
    "pythonic": (
        source(
            "with objmode(one='float64'):\n    one = 1.0\nreturn one * board.length[snake] / 100",
            "from numba import objmode",
        ),
        "evaluate calls Python (PyObject_CallFunctionObjArgs), and a search can't run Python code",
        "pythonic.py:8",
    ),
    "forgetful": (
        source("if board.health[snake] > 50:\n    return 1.0"),
        "a path returns nothing",
        "forgetful.py:8",
    ),
    "short": (
        source(
            "if board.length[snake] > 16:\n    raise ValueError('too long')\nreturn board.length[snake] / 100"
        ),
        "ValueError: too long",
        "short.py:10",
    ),
    "undeclared": (
        source("return weights.values[1] * 0.5"),
        "uses more weights than the ",
        "undeclared.py:8",
    ),
    "writing": (source("board.health[snake] = 100\nreturn 0.0"), "changes", "writing.py:8"),
    "crashing": (
        source(
            "return intrinsics.peek(board.health[snake] * 0) + 0.0",
            "from searcher.engine.jit import intrinsics",
        ),
        "Segmentation fault",
        "crashing.py:8",
    ),
    "importing": (
        source("return 0.0", "import nothing_like_it"),
        "No module named",
        "importing.py:3",
    ),
    "garbled": ("\ndef evaluate(:", "invalid syntax", "garbled.py:2"),
    "few": ("DESCRIPTION = 'x'\nWEIGHTS = ()\n\ndef evaluate(game): ...", "not (game)", "few.py:4"),
    "area": (
        source("return 0.0"),
        "the name 'area' is taken by searcher.evaluators.area",
        "area.py:1",
    ),
}
"""By name: the source, the reason of its fault, and the fault's place."""

USELESS = {
    "flat": source("return 1"),
    "careless": source(
        "lengths = [0.0]\nfor each in board.length:\n    lengths.append(each / 1000)\n"
        "score = sum(lengths) + random.random()\nscore + 1\nreturn score",
        "import random",
    ),
    "lost": alone(
        "near = -1\nfor other in range(len(board.head)):\n"
        "    if other != snake and board.length[other] > 0:\n        near = other\n"
        "_, _, steps = reach(game, board, snake)\nreturn board.length[near] / 100 - steps / 22",
        "from searcher.toolkit import reach",
    ),
    "toiling": source(
        "total = 0.0\nfor step in range(9999):\n"
        "    total += math.sin(step + board.length[snake])\n"
        "return 3 * board.length[snake] if total < 9999 else 0.0",
        "import math",
    ),
}
"""Evaluators that pass, although a search can hardly use them."""

_LOOP = "total = 0\nwhile total <= board.health[snake]:\n    total ^= 1\nreturn total"

ENDLESS = {
    "endless": source(_LOOP),
    "huge": source("return TABLE[board.health[snake]] / 100.0", "TABLE = tuple(range(30000))"),
}
"""An evaluator that never ends, and one whose compiling takes minutes."""


def assert_reported(lines: list[str], name: str, site: Path) -> None:
    """Assert that one of the lines has the reason and the place of an evaluator's fault."""
    _, reason, place = FAULTY[name]
    (line,) = (line for line in lines if f"evaluator {name} is left out: " in line)
    assert reason in line
    assert f"({site}/{PACKAGE}/{place})" in line
