"""The few shapes that the pictures of this folder consist of, as SVG elements."""

from math import hypot
from xml.etree import ElementTree

INK, FAINT, PAPER = "#24292f", "#d0d7de", "#ffffff"

Element = ElementTree.Element


def picture(width: int, height: int, description: str) -> Element:
    """Return an empty white picture with a description for screen readers."""
    svg = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "width": str(width),
            "height": str(height),
            "role": "img",
            "font-family": "sans-serif",
            "font-size": "13",
        },
    )
    ElementTree.SubElement(svg, "title").text = description
    box(svg, 0, 0, width, height, PAPER)
    return svg


def box(svg: Element, x: float, y: float, width: float, height: float, fill: str, **more: str) -> None:
    """Add a rectangle; `more` are further attributes."""
    place = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{width:g}", "height": f"{height:g}"}
    ElementTree.SubElement(svg, "rect", place | {"fill": fill} | more)


def line(svg: Element, x1: float, y1: float, x2: float, y2: float, stroke: str, **more: str) -> None:
    """Add a straight line."""
    ends = {"x1": f"{x1:g}", "y1": f"{y1:g}", "x2": f"{x2:g}", "y2": f"{y2:g}"}
    ElementTree.SubElement(svg, "line", ends | {"stroke": stroke} | more)


def text(svg: Element, x: float, y: float, words: str, fill: str = INK, **more: str) -> None:
    """Add text that is centred at x and has its baseline at y."""
    place = {"x": f"{x:g}", "y": f"{y:g}", "text-anchor": "middle", "fill": fill}
    ElementTree.SubElement(svg, "text", place | more).text = words


def arrow(svg: Element, x1: float, y1: float, x2: float, y2: float, stroke: str, **more: str) -> None:
    """Add a straight line with a head at its second end; `more` are further attributes of the line."""
    line(svg, x1, y1, x2, y2, stroke, **more)
    length = hypot(x2 - x1, y2 - y1)
    along, across = ((x2 - x1) / length, (y2 - y1) / length), ((y1 - y2) / length, (x2 - x1) / length)
    wings = [
        (x2 - 9 * along[0] + side * 4 * across[0], y2 - 9 * along[1] + side * 4 * across[1])
        for side in (1, -1)
    ]
    points = " ".join(f"{x:g},{y:g}" for x, y in [(x2, y2), *wings])
    ElementTree.SubElement(svg, "polygon", {"points": points, "fill": stroke})
