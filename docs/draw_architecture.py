"""The pictures of docs/architecture.md: python -m docs.draw_architecture [FOLDER] draws them."""

from pathlib import Path
from xml.etree import ElementTree

import click

from docs.drawing import FAINT, INK, PAPER, Element, arrow, box, line, picture, text

IMAGES = Path(__file__).parent / "images"

OURS, THEIRS = "#ddf4ff", "#f6f8fa"
"""The colours of services of this project, and of others."""

DASHED = {"stroke-dasharray": "6 4"}


def _named(svg: Element, x: float, y: float, width: float, words: str, fill: str) -> None:
    """Draw a box with words in its middle; x and y are its left and upper edge."""
    box(svg, x, y, width, 44, fill, stroke=INK, rx="5")
    text(svg, x + width / 2, y + 27, words)


def services() -> Element:
    """Draw the two services and their callers."""
    svg = picture(900, 260, "An engine calls the gateway, the gateway and bots call the searcher")
    box(svg, 440, 30, 450, 100, PAPER, stroke=INK, rx="5", **DASHED)
    text(svg, 665, 50, "searcher", **{"font-weight": "bold"})
    _named(svg, 5, 66, 145, "Battlesnake engine", THEIRS)
    _named(svg, 240, 66, 100, "gateway", OURS)
    _named(svg, 455, 66, 90, "service", OURS)
    _named(svg, 590, 66, 150, "compiled search", OURS)
    _named(svg, 785, 66, 90, "evaluators", OURS)
    _named(svg, 210, 200, 160, "SQLite or PostgreSQL", THEIRS)
    _named(svg, 415, 200, 170, "bots in any language", THEIRS)
    arrow(svg, 150, 88, 240, 88, INK)
    text(svg, 194, 80, "HTTP")
    text(svg, 194, 106, "webhooks")
    arrow(svg, 340, 88, 455, 88, INK)
    text(svg, 390, 80, "StreamSearch")
    text(svg, 388, 106, "over gRPC")
    arrow(svg, 545, 88, 590, 88, INK)
    arrow(svg, 740, 88, 785, 88, INK)
    arrow(svg, 290, 110, 290, 200, INK, **DASHED)
    text(svg, 280, 152, "outcomes and games,", **{"text-anchor": "end"})
    text(svg, 280, 168, "in the background", **{"text-anchor": "end"})
    arrow(svg, 500, 200, 500, 110, INK)
    text(svg, 510, 168, "gRPC", **{"text-anchor": "start"})
    return svg


ENGINE, GATEWAY, SEARCHER, WORKER = 70, 290, 610, 900
"""The positions of the participants' lines."""


def _message(svg: Element, y: float, start: float, end: float, words: str, **more: str) -> None:
    arrow(svg, start, y, end, y, INK, **more)
    text(svg, (start + end) / 2, y - 6, words)


def _note(svg: Element, y: float, middle: float, *lines: str) -> None:
    height = 12 + 17 * len(lines)
    box(svg, middle - 170, y, 340, height, "#fff8c5", stroke=FAINT, rx="3")
    for row, words in enumerate(lines):
        text(svg, middle, y + 19 + 17 * row, words)


def path_of_a_move() -> Element:
    """Draw the steps from a request of the engine to its answer, from top to bottom."""
    svg = picture(980, 520, "The path of a move through engine, gateway, searcher and worker thread")
    names = {"engine": ENGINE, "gateway": GATEWAY, "searcher": SEARCHER, "worker thread": WORKER}
    for name, x in names.items():
        line(svg, x, 54, x, 510, FAINT, **{"stroke-width": "2"})
        _named(svg, x - 60, 10, 120, name, THEIRS if x == ENGINE else OURS)
    _message(svg, 85, ENGINE, GATEWAY, "POST /move")
    _note(
        svg,
        96,
        GATEWAY,
        "read the body, draw the game's arm,",
        "ask the budget: timeout less the recent",
        "latency of the network",
    )
    _message(svg, 188, GATEWAY, SEARCHER, "StreamSearch(position, strategy, limits.time)")
    _note(
        svg,
        200,
        SEARCHER,
        "check every field, wait for a worker:",
        "earliest deadline first, a fair share each",
    )
    _message(svg, 276, SEARCHER, WORKER, "search without the GIL until the deadline")
    box(svg, 240, 296, 715, 104, "none", stroke=INK, rx="3", **DASHED)
    text(
        svg, GATEWAY + 12, 314, "for each completed depth", **{"text-anchor": "start", "font-weight": "bold"}
    )
    _message(svg, 345, WORKER, SEARCHER, "result", **DASHED)
    _message(svg, 382, SEARCHER, GATEWAY, "StreamSearchResponse", **DASHED)
    _message(svg, 440, SEARCHER, GATEWAY, "final = true", **DASHED)
    _message(svg, 490, GATEWAY, ENGINE, '{"move": "up"}, in one packet', **DASHED)
    return svg


PICTURES = {"services": services, "path-of-a-move": path_of_a_move}
"""The functions that draw, by the name of the file."""


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=IMAGES)
def main(folder: Path) -> None:
    """Draw the pictures of docs/architecture.md into FOLDER, by default docs/images."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        svg = draw()
        ElementTree.indent(svg)
        (folder / f"{name}.svg").write_text(ElementTree.tostring(svg, encoding="unicode") + "\n")


if __name__ == "__main__":
    main()
