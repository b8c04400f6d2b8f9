"""The two surfaces that a frame is drawn on: an SVG document, and an image of pixels.

Coordinates are pixels from the top left. Colours are written as #1767c2. Widths of outlines are in pixels. A
width of 0 draws none.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from math import atan2, cos, degrees, sin
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from PIL import Image, ImageFont

Point = tuple[float, float]

_STEPS = 8
"""The straight pieces that stand for a curve in an image of pixels."""

_FINE, _COARSE = 3, 2
"""How many times wider and higher than the picture an image is drawn, so that its edges become smooth."""

_LARGE = 1_500_000
"""The pixels of a picture from which on it is drawn coarsely."""

_FONTS = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "NotoSansCJK-Regular.ttc",
    "Arial Unicode.ttf",
    "Arial.ttf",
)

_PATH = re.compile(r"([MLHVQZ])([^MLHVQZ]*)")


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a path: its origin, its scale, and the direction of its x axis."""

    x: float
    y: float
    scale: float
    direction: Point = (1.0, 0.0)

    @property
    def angle(self) -> float:
        """The angle of the x axis, clockwise, because y points down."""
        return atan2(self.direction[1], self.direction[0])

    def at(self, x: float, y: float) -> Point:
        """Return a point of the path on the surface."""
        c, s = cos(self.angle), sin(self.angle)
        return self.x + self.scale * (x * c - y * s), self.y + self.scale * (x * s + y * c)


class SvgCanvas:
    """An SVG document."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self._head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="DejaVu Sans, system-ui, sans-serif" '
            f'stroke-linecap="round" stroke-linejoin="round"><title>{escape(title)}</title>'
        )
        self._parts: list[str] = []

    def document(self) -> str:
        """Return the text of the document."""
        return "\n".join((self._head, *self._parts, "</svg>", ""))

    def _add(self, name: str, content: str = "", **attributes: object) -> None:
        text = " ".join(
            f"{key.replace('_', '-')}={quoteattr(_shown(value))}" for key, value in attributes.items()
        )
        self._parts.append(f"<{name} {text}>{content}</{name}>" if content else f"<{name} {text}/>")

    def rect(self, at: Point, size: Point, fill: str, radius: float = 0) -> None:
        """Draw a filled rectangle."""
        self._add("rect", x=at[0], y=at[1], width=size[0], height=size[1], rx=radius, fill=fill)

    def circle(self, at: Point, radius: float, fill: str, line: str = "", width: float = 0) -> None:
        """Draw a filled circle."""
        self._add("circle", cx=at[0], cy=at[1], r=radius, fill=fill, **_outline(line, width))

    def line(self, points: Sequence[Point], width: float, colour: str) -> None:
        """Draw a line with round ends and joints."""
        ends = points if len(points) > 1 else [*points, *points]
        text = " ".join(f"{_shown(x)},{_shown(y)}" for x, y in ends)
        self._add("polyline", points=text, fill="none", **_outline(colour, width))

    def path(self, d: str, place: Place, fill: str, line: str = "", width: float = 0) -> None:
        """Draw a path of SVG with the commands M, L, H, V, Q and Z. An empty `fill` draws the line alone."""
        turned = f"translate({_shown(place.x)} {_shown(place.y)}) rotate({_shown(degrees(place.angle))})"
        transform = f"{turned} scale({_shown(place.scale)})"
        self._add(
            "path", d=d, transform=transform, fill=fill or "none", **_outline(line, width / place.scale)
        )

    def text(
        self, at: Point, words: str, size: float, fill: str, anchor: str = "start", rim: str = ""
    ) -> None:
        """Write words. `at` is on their base line; `anchor` is start, middle or end."""
        rimmed: dict[str, Any] = {**_outline(rim, size / 4), "paint_order": "stroke"} if rim else {}
        place = {"x": at[0], "y": at[1], "font_size": size, "text_anchor": anchor}
        self._add("text", escape(words), **place, fill=fill, **rimmed)


def _outline(colour: str, width: float) -> dict[str, Any]:
    return {"stroke": colour, "stroke_width": width} if colour and width else {}


def _shown(value: object) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


class PixelCanvas:
    """An image of pixels. Shapes are drawn several times as large, and words at their own size, last of all.

    Needs Pillow.
    """

    def __init__(self, width: int, height: int, paper: str) -> None:
        from PIL import Image, ImageDraw

        self._times = _COARSE if width * height > _LARGE else _FINE
        self._image = Image.new("RGB", (width * self._times, height * self._times), paper)
        self._draw = ImageDraw.Draw(self._image)
        self._words: list[tuple[Point, str, float, str, str, str]] = []

    def copy(self) -> "PixelCanvas":
        """Return a canvas that begins with what is on this one."""
        from PIL import ImageDraw

        other = PixelCanvas.__new__(PixelCanvas)
        other._times, other._image, other._words = self._times, self._image.copy(), list(self._words)
        other._draw = ImageDraw.Draw(other._image)
        return other

    def image(self) -> "Image.Image":
        """Return the picture."""
        from PIL import ImageDraw

        image = self._image.reduce(self._times)
        draw = ImageDraw.Draw(image)
        for at, words, size, fill, anchor, rim in self._words:
            font, known = _written(words, round(size))
            side = {"start": "ls", "middle": "ms", "end": "rs"}[anchor]
            width = max(1, round(size / 9)) if rim else 0
            place = round(at[0]), round(at[1])
            draw.text(place, known, fill, font, side, stroke_width=width, stroke_fill=rim or None)
        return image

    def rect(self, at: Point, size: Point, fill: str, radius: float = 0) -> None:
        """Draw a filled rectangle."""
        if min(size) <= 0:
            return
        left, top, width, height = (round(each * self._times) for each in (*at, *size))
        # Pillow draws the last row and column, too.
        box = (left, top, left + max(width, 1) - 1, top + max(height, 1) - 1)
        if radius:
            self._draw.rounded_rectangle(box, radius * self._times, fill)
        else:
            self._draw.rectangle(box, fill)

    def circle(self, at: Point, radius: float, fill: str, line: str = "", width: float = 0) -> None:
        """Draw a filled circle."""
        (x, y), r = self._scaled(at), (radius + width / 2) * self._times
        rim = line if width else ""
        wide = max(1, round(width * self._times))
        self._draw.ellipse((x - r, y - r, x + r - 1, y + r - 1), fill, rim or None, wide)

    def line(self, points: Sequence[Point], width: float, colour: str) -> None:
        """Draw a line with round ends and joints."""
        scaled = [self._scaled(point) for point in points]
        wide = max(1, round(width * self._times))
        if len(scaled) > 1:
            self._draw.line(scaled, colour, wide)
        r = width * self._times / 2
        for x, y in scaled if wide > 2 else ():
            # Pillow draws the last row and column, too.
            self._draw.ellipse((x - r, y - r, x + r - 1, y + r - 1), colour)

    def path(self, d: str, place: Place, fill: str, line: str = "", width: float = 0) -> None:
        """Draw a path of SVG, as SvgCanvas does."""
        for points, closed in flattened(d):
            at = [place.at(x, y) for x, y in points]
            if fill and len(at) > 2:
                self._draw.polygon([self._scaled(point) for point in at], fill)
            if line and width:
                self.line([*at, at[0]] if closed else at, width, line)

    def text(
        self, at: Point, words: str, size: float, fill: str, anchor: str = "start", rim: str = ""
    ) -> None:
        """Write words. Letters that the font lacks are left out."""
        self._words.append((at, words, size, fill, anchor, rim))

    def _scaled(self, point: Point) -> Point:
        return point[0] * self._times, point[1] * self._times


Canvas = SvgCanvas | PixelCanvas


def flattened(d: str) -> Iterator[tuple[list[Point], bool]]:
    """Yield the pieces of a path as points, and whether they are closed."""
    points: list[Point] = []
    for command, text in _PATH.findall(d):
        numbers = [float(each) for each in re.findall(r"-?[\d.]+", text)]
        x, y = points[-1] if points else (0.0, 0.0)
        if command == "Z":
            yield points, True
            points = []
        elif command == "M":
            if points:
                yield points, False
            points = [(numbers[0], numbers[1])]
        elif command == "Q":
            points += _curve((x, y), *numbers)
        else:
            points.append(
                (numbers[0], numbers[1])
                if command == "L"
                else (numbers[0], y)
                if command == "H"
                else (x, numbers[0])
            )
    if points:
        yield points, False


def _curve(start: Point, x1: float, y1: float, x2: float, y2: float) -> Iterable[Point]:
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        yield a * start[0] + b * x1 + c * x2, a * start[1] + b * y1 + c * y2


@lru_cache(maxsize=4096)
def _written(words: str, size: int) -> tuple["ImageFont.FreeTypeFont", str]:
    """Return the font that has the most letters of a text, and these letters; ? if no font has any."""
    text = unicodedata.normalize("NFC", words)
    kept = [(font, "".join(each for each in text if _has(font, each))) for font in _fonts(size)]
    font, known = max(kept, key=lambda each: len(each[1]))
    return font, known if known.strip() or not text else "?"


@cache
def _fonts(size: int) -> "tuple[ImageFont.FreeTypeFont, ...]":
    """Return the known fonts that this machine has, and at last Pillow's own font of Latin letters."""
    from PIL import ImageFont

    found: list[ImageFont.FreeTypeFont] = []
    for name in _FONTS:
        with suppress(OSError):
            found.append(ImageFont.truetype(name, size))
    last = ImageFont.load_default(size)
    return (*found, last) if isinstance(last, ImageFont.FreeTypeFont) else tuple(found)


@lru_cache(maxsize=4096)
def _has(font: "ImageFont.FreeTypeFont", letter: str) -> bool:
    """Return whether a font has a letter: its picture differs from the picture for a missing letter."""
    if unicodedata.category(letter) in ("Cf", "Mn"):
        return False
    return letter.isspace() or bytes(font.getmask(letter)) != bytes(font.getmask("\U0010ffff"))
