"""Packages with evaluators, as an installation leaves them in a folder."""

import os
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from tests.searcher.command_line import ROOT

PACKAGE = "plugged_snake"

GOOD = {
    "shy": """
        from plugged_snake.heads import nearest
        from searcher.toolkit import Weight

        DESCRIPTION = "Health, and distance from the others' heads."
        WEIGHTS = (
            Weight("health", 0.8, 0.0, 1.0, "of my health, as a share of full health"),
            Weight("distance", 0.2, 0.0, 1.0, "of the way to the nearest other head"),
        )


        def evaluate(game, board, weights, snake):
            way = nearest(game, board, snake) / (game.width + game.height)
            return weights.values[0] * board.health[snake] / 100 + weights.values[1] * way
        """,
    "heads": """
        from numba import njit

        from searcher.engine.rules.board import is_alive
        from searcher.engine.features.distance import distance


        @njit
        def nearest(game, board, snake):
            nearest = game.width + game.height
            for other in range(len(board.head)):
                if other != snake and is_alive(board, other):
                    nearest = min(nearest, distance(game, board.head[snake], board.head[other]))
            return nearest


        @njit
        def strict(health):
            if health < 50:
                raise ValueError("too hungry")
            return health / 100


        def plain(health):
            return health / 100
        """,
}
"""An evaluator, and a module that it imports."""


def source(body: str, before: str = "", weights: str = "()") -> str:
    """Return the source of an evaluator whose function begins on line 8 and has this body."""
    lines = [
        "from plugged_snake import heads",
        "from searcher.toolkit import Weight",
        before,
        'DESCRIPTION = "For a test."',
        f"WEIGHTS = {weights}",
        "",
        "",
        "def evaluate(game, board, weights, snake):",
        *(f"    {line}" for line in body.splitlines()),
    ]
    return "\n".join(lines)


def alone(body: str, before: str) -> str:
    """Return the source of an evaluator that imports no other module of its package."""
    return source(body, before).replace("from plugged_snake import heads", "")


def unpack(target: Path, modules: Mapping[str, str], offers: Mapping[str, str]) -> None:
    """Install a package of these modules into a folder. `offers` are its entry points."""
    info = f"{PACKAGE}-1.0.dist-info"
    files = {f"{PACKAGE}/{name}.py": dedent(text) for name, text in modules.items()}
    files |= {
        f"{PACKAGE}/__init__.py": "",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: 1.0\n",
        f"{info}/entry_points.txt": "\n".join(
            ["[battlesnake.evaluators]", *(f"{name} = {module}" for name, module in offers.items())]
        ),
    }
    for name, text in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(text)


def path_with(folder: Path) -> str:
    """Return a PYTHONPATH with a folder of installed packages."""
    return os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", str(ROOT))])
