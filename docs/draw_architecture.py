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
    """Draw the three services and their callers."""
    svg = picture(900, 280, "An engine calls the gateway, the gateway calls the searcher and the console")
    box(svg, 440, 30, 450, 100, PAPER, stroke=INK, rx="5", **DASHED)
    text(svg, 665, 50, "searcher", **{"font-weight": "bold"})
    _named(svg, 5, 66, 145, "Battlesnake engine", THEIRS)
    _named(svg, 240, 66, 100, "gateway", OURS)
    _named(svg, 455, 66, 90, "service", OURS)
    _named(svg, 590, 66, 150, "compiled search", OURS)
    _named(svg, 785, 66, 90, "evaluators", OURS)
    _named(svg, 5, 216, 145, "browsers", THEIRS)
    _named(svg, 240, 216, 100, "console", OURS)
    _named(svg, 440, 216, 170, "SQLite or PostgreSQL", THEIRS)
    _named(svg, 690, 216, 170, "bots in any language", THEIRS)
    arrow(svg, 150, 88, 240, 88, INK)
    text(svg, 194, 80, "HTTP")
    text(svg, 194, 106, "webhooks")
    arrow(svg, 340, 88, 455, 88, INK)
    text(svg, 390, 80, "StreamSearch")
    text(svg, 388, 106, "over gRPC")
    arrow(svg, 545, 88, 590, 88, INK)
    arrow(svg, 740, 88, 785, 88, INK)
    arrow(svg, 290, 110, 290, 216, INK, **DASHED)
    text(svg, 280, 152, "events of games over gRPC,", **{"text-anchor": "end"})
    text(svg, 280, 168, "after the answers", **{"text-anchor": "end"})
    arrow(svg, 150, 238, 240, 238, INK)
    text(svg, 194, 230, "HTTP")
    arrow(svg, 340, 238, 440, 238, INK)
    arrow(svg, 330, 216, 480, 110, INK)
    text(svg, 425, 178, "analyses over gRPC", **{"text-anchor": "start"})
    arrow(svg, 775, 216, 525, 110, INK)
    text(svg, 690, 168, "gRPC", **{"text-anchor": "start"})
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


def path_of_an_event() -> Element:
    """Draw the rooms of the gateway and the console, and what goes from one to the next."""
    svg = picture(980, 440, "A move goes through the rooms of the gateway, and its event goes on to a page")
    start, bold = {"text-anchor": "start"}, {"font-weight": "bold"}
    for y, height, name in ((14, 200, "gateway"), (256, 174, "console")):
        box(svg, 130, y, 690, height, "none", stroke=INK, rx="5", **DASHED)
        text(svg, 145, y + 20, name, **start, **bold)
    for x, name in ((150, "webhooks"), (310, "game"), (470, "play"), (660, "searchers")):
        _named(svg, x, 60, 110, name, OURS)
    _named(svg, 310, 150, 110, "outbox", OURS)
    _named(svg, 150, 150, 110, "its file", OURS)
    _named(svg, 470, 150, 110, "metrics, log", OURS)
    for x, name in ((310, "Record"), (470, "recorder"), (660, "writer")):
        _named(svg, x, 286, 110, name, OURS)
    _named(svg, 470, 362, 110, "pages, API", OURS)
    _named(svg, 660, 362, 110, "feed", OURS)
    for x, y, name in ((5, 60, "engine"), (5, 362, "browsers"), (865, 286, "database")):
        _named(svg, x, y, 110, name, THEIRS)
    _named(svg, 865, 60, 110, "searcher", OURS)
    for left, right in ((115, 150), (260, 310), (420, 470), (580, 660), (770, 865)):
        arrow(svg, left, 82, right, 82, INK)
    text(svg, 620, 74, "position")
    text(svg, 843, 74, "gRPC")
    arrow(svg, 365, 104, 365, 150, INK)
    text(svg, 357, 132, "event", **{"text-anchor": "end"})
    arrow(svg, 400, 104, 490, 150, INK)
    arrow(svg, 310, 172, 260, 172, INK)
    arrow(svg, 345, 194, 345, 286, INK)
    text(svg, 337, 238, "events, by gRPC", **{"text-anchor": "end"})
    arrow(svg, 385, 286, 385, 194, INK, **DASHED)
    text(svg, 393, 238, "acknowledgements, once they are stored", **start)
    arrow(svg, 420, 308, 470, 308, INK)
    arrow(svg, 580, 308, 660, 308, INK)
    text(svg, 620, 300, "rows")
    arrow(svg, 770, 308, 865, 308, INK)
    arrow(svg, 715, 330, 715, 362, INK)
    text(svg, 723, 350, "news", **start)
    arrow(svg, 660, 384, 580, 384, INK)
    arrow(svg, 470, 384, 115, 384, INK)
    line(svg, 920, 330, 920, 420, INK)
    line(svg, 920, 420, 525, 420, INK)
    arrow(svg, 525, 420, 525, 406, INK)
    return svg


PICTURES = {"services": services, "path-of-a-move": path_of_a_move, "path-of-an-event": path_of_an_event}
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
