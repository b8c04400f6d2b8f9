"""A game in each form that others can show: a page of HTML, GIF, MP4, and pictures as PNG and SVG."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from io import BytesIO
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from battlesnake_search import viewer
from battlesnake_search.common.sockets import SocketFolder
from battlesnake_search.record.extras import require
from console.film import SIZES, SPEEDS
from console.film.frames import Frames
from console.film.looks import looks_of, result_of, title_of
from console.store.values import Game, Turn

if TYPE_CHECKING:
    from PIL import Image

FORMS: Mapping[str, str] = MappingProxyType(
    {
        "html": "text/html",
        "gif": "image/gif",
        "mp4": "video/mp4",
        "png": "image/png",
        "svg": "image/svg+xml",
    }
)
"""The media types of the forms."""

_PLAIN = ("html", "svg")
"""The forms that need no extra."""

_COLOURS = 127
"""The colours of a GIF. One more stands for pixels that do not change."""

_SAMPLES = 6
"""The frames from which the colours of a GIF are chosen, besides those of deaths."""

_HOLD = 3
"""Seconds for which the last frame of a film stays."""

_FOLDER = Path(__file__).parent
"""The folder with the parts of a page."""

MOST_PIXELS = 4_000_000_000
"""The largest number of pixels of all frames of a film."""


class FilmError(ValueError):
    """A game can't be shown in a form. The message names the reason and the remedy."""


class Film(msgspec.Struct, frozen=True, kw_only=True):
    """The wish for a film or a picture.

    `size` is the longer side of the board in pixels, by default 320 in a GIF, otherwise 640. `speed` is the
    number of turns a second. `first` and `last` bound the turns; None stands for the ends of the game.
    `search` adds what our searches found.
    """

    form: str
    size: int | None = None
    speed: int = 10
    first: int | None = None
    last: int | None = None
    search: bool = False

    def check(self) -> None:
        """Raise FilmError if a value is invalid, and MissingExtraError without a package of the form."""
        if self.form not in FORMS:
            raise FilmError(f"form must be one of {', '.join(FORMS)}, not {self.form}")
        for name, value, (least, most) in (("size", self.size, SIZES), ("speed", self.speed, SPEEDS)):
            if value is not None and not least <= value <= most:
                raise FilmError(f"{name} must be from {least} to {most}, not {value}")
        if self.form not in _PLAIN:
            require("films")

    def turns_of(self, game: Game) -> list[Turn]:
        """Return the turns to show. Raises FilmError if the game has none of them."""
        if not game.turns:
            raise FilmError("no turn of the game is recorded")
        least, most = game.turns[0].turn, game.turns[-1].turn
        first = least if self.first is None else self.first
        last = most if self.last is None else self.last
        found = [turn for turn in game.turns if first <= turn.turn <= last]
        if not found:
            raise FilmError(f"the game has no turn from {first} to {last}; its turns: {least} to {most}")
        return found


class Order(msgspec.Struct, frozen=True):
    """A game and the wanted film of it."""

    game: Game
    film: Film


def made(game: Game, film: Film) -> bytes:
    """Return a game in a form: all its turns as HTML, GIF or MP4, or its first wanted turn as PNG or SVG.

    Raises FilmError and MissingExtraError.
    """
    film.check()
    turns = film.turns_of(game)
    if film.form == "html":
        return _page(game, turns, film.search).encode()
    frames = Frames(game, film.size or (320 if film.form == "gif" else 640), film.search)
    if film.form == "svg":
        return frames.svg(turns[0]).encode()
    if film.form == "png":
        return _encoded(frames.image(turns[0]), "PNG", optimize=True)
    check_size(frames, turns)
    return (_gif if film.form == "gif" else _mp4)(frames, turns, film.speed)


def check_size(frames: Frames, turns: Sequence[Turn]) -> None:
    """Raise FilmError if the frames of a film have too many pixels."""
    if frames.width * frames.height * len(turns) > MOST_PIXELS:
        raise FilmError(
            f"{len(turns)} turns of {frames.width}x{frames.height} pixels are too much for a film: "
            "choose fewer turns or a smaller size"
        )


def _encoded(image: "Image.Image", form: str, **options: object) -> bytes:
    file = BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def _gif(frames: Frames, turns: Sequence[Turn], speed: int) -> bytes:
    """Return a GIF. A frame has only the pixels that differ from the frame before."""
    # `Image.save` would keep all frames in memory.
    from PIL import Image, ImageChops
    from PIL.GifImagePlugin import getdata, getheader

    colours = _colours(frames, turns)
    # Pillow looks up the corner of the cube of four shades that a colour lies in.
    cubes = Image.new("P", (1, 1))
    cubes.putpalette([part & ~3 for part in colours])
    parts: list[bytes] = []
    before: Image.Image | None = None
    for turn in turns:
        image = frames.image(turn).quantize(palette=cubes, dither=Image.Dither.NONE)
        image.putpalette(colours)
        duration = 1000 * _HOLD if turn is turns[-1] else 1000 // speed
        if before is None:
            parts += getheader(image, info={"loop": 0})[0]
            parts += getdata(image, duration=duration)
        else:
            change = ImageChops.subtract_modulo(image, before)
            # Every frame needs a pixel.
            left, top, right, bottom = change.getbbox() or (0, 0, 1, 1)
            changed = image.copy()
            changed.paste(_COLOURS, mask=change.point([255, *[0] * 255], "1"))
            changed = changed.crop((left, top, right, bottom))
            parts += getdata(changed, (left, top), duration=duration, transparency=_COLOURS)
        before = image
    return b"".join((*parts, b";"))


def _colours(frames: Frames, turns: Sequence[Turn]) -> list[int]:
    """Return the palette of a GIF: the most frequent colours of some frames, each of another cube."""
    counts: Counter[tuple[int, ...]] = Counter()
    # Dead snakes are pale.
    deaths = (turn for turn in turns if turn.deaths)
    for turn in (*turns[:: -(-len(turns) // _SAMPLES)], *deaths):
        pixels = frames.image(turn).tobytes()
        counts.update(zip(pixels[::3], pixels[1::3], pixels[2::3], strict=True))
    chosen: dict[tuple[int, ...], tuple[int, ...]] = {}
    for colour, _ in counts.most_common():
        chosen.setdefault(tuple(part >> 2 for part in colour), colour)
    return [part for colour in [*chosen.values()][:_COLOURS] for part in colour]


def _mp4(frames: Frames, turns: Sequence[Turn], speed: int) -> bytes:
    """Return a film in H.264."""
    import av

    # FFmpeg moves the index to the beginning, so that players need not load the whole film, only in a file.
    # The next start of a service removes the folder that a killed process has left.
    with SocketFolder() as folder:
        file = folder.path / "film.mp4"
        with av.open(str(file), "w", options={"movflags": "+faststart"}) as container:
            stream = container.add_stream("libx264", rate=speed, options={"crf": "23", "preset": "fast"})
            stream.width, stream.height, stream.pix_fmt = frames.width, frames.height, "yuv420p"
            for turn in [*turns, *[turns[-1]] * (_HOLD * speed)]:
                container.mux(stream.encode(av.VideoFrame.from_image(frames.image(turn))))
            container.mux(stream.encode())
        return file.read_bytes()


def _page(game: Game, turns: Sequence[Turn], search: bool) -> str:
    """Return the page of some turns of a game as HTML.

    Without `search`, it has nothing of our strategies and their findings.
    """
    shown = msgspec.to_builtins(_shown(game, turns, search))
    if turns[-1] is not game.turns[-1]:
        # The viewer writes the end beside the last turn, and an excerpt may end before it.
        shown["ending"] = ""
    script = f"{viewer.script()}\n{_source('page.js')}"
    return Template(_source("page.html")).substitute(
        title=escape(title_of(looks_of(game.snakes))),
        facts=escape(_facts(game, turns)),
        style=f"{viewer.style()}{_source('page.css')}",
        data=viewer.packed(msgspec.json.encode(shown)),
        script=script,
        digest=viewer.digest(script),
    )


def _facts(game: Game, turns: Sequence[Turn]) -> str:
    """Return the board, the turns and the result in words."""
    last = game.turns[-1].turn
    is_whole = len(turns) == len(game.turns)
    span = f"{last} turns" if is_whole else f"turns {turns[0].turn} to {turns[-1].turn} of {last}"
    return f"{game.ruleset} {game.width}x{game.height}, {span}, {result_of(game) or 'no end seen'}"


def _shown(game: Game, turns: Sequence[Turn], search: bool) -> Game:
    replace = msgspec.structs.replace
    if search:
        return replace(game, turns=list(turns))
    nobody = [None for _ in game.snakes]
    return replace(
        game,
        snakes=[replace(snake, strategy="", experiment="", arm="") for snake in game.snakes],
        turns=[replace(turn, decisions=nobody) for turn in turns],
    )


@cache
def _source(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
