"""The pictures of the page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib

matplotlib.use("svg")

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from docs.capacity.cells.drawing import draw_failure, draw_rollouts
from docs.capacity.contents import Contents
from docs.capacity.tournament.drawing import draw_tournament

PICTURES = ("autoscaler.svg", "failing-cell.svg", "rollouts.svg")


def draw_all(contents: Contents, folder: Path) -> None:
    """Draw all pictures into a folder."""
    tournament, failure, rollouts = (folder / name for name in PICTURES)
    with _picture(tournament, 7.0) as figure:
        draw_tournament(figure, contents.tournament)
    with _picture(failure, 5.0) as figure:
        draw_failure(figure, contents.cells)
    with _picture(rollouts, 3.4) as figure:
        draw_rollouts(figure, contents.cells)


@contextmanager
def _picture(file: Path, height: float) -> Iterator[Figure]:
    """Yield an empty picture, and write what has been drawn there to a file."""
    # Without these settings each drawing would differ from the previous one.
    with plt.rc_context(
        {
            "svg.hashsalt": file.stem,
            "svg.fonttype": "none",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    ):
        figure = plt.figure(figsize=(8.6, height), layout="constrained")
        yield figure
        figure.savefig(file, metadata={"Date": None, "Creator": None})
        plt.close(figure)
