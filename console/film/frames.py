"""The frames of a film: the board of a turn, and the snakes with their length and health beside it."""

from functools import cached_property
from typing import TYPE_CHECKING

from console.film.board import ALARM, CELL, INK, MUTED, PAPER, BoardDrawing
from console.film.canvas import Canvas, PixelCanvas, SvgCanvas
from console.film.looks import looks_of, readable, result_of, title_of
from console.store.values import Death, Game, Placed, Turn

if TYPE_CHECKING:
    from PIL import Image

_PANEL = 0.62
"""The width of the panel, as a share of the board's longer side."""

_LETTER = 0.57
"""The width of a letter, as a share of its size."""

_CAUSES = {
    "head-collision": "head to head",
    "snake-collision": "another's body",
    "snake-self-collision": "own body",
    "wall-collision": "wall",
    "out-of-health": "starved",
}


class Frames:
    """The frames of a game. `size` is the longer side of the board in pixels. All frames have the same size.

    With `search`, the expected lines of our searches are drawn.
    """

    def __init__(self, game: Game, size: int, search: bool = False) -> None:
        self.game = game
        self._search = search
        self._looks = looks_of(game.snakes)
        self._seen = {turn.turn for turn in game.turns}
        self._deaths = {
            death.snake: (death.turn_in(turn), death) for turn in game.turns for death in turn.deaths
        }
        unit = size / max(game.width, game.height)
        self._margin = round(size * 0.03) + 4
        self._letters = max(8, round(size * 0.042))
        self._panel = 2 * self._margin + round(unit * game.width)
        rows = self._heading + 2.6 * self._letters * len(game.snakes)
        # The frames of films in MP4 have even sides.
        self.width = _even(self._panel + _PANEL * size)
        self.height = _even(2 * self._margin + max(unit * game.height, rows))
        self._board = BoardDrawing(game, self._looks, (self._margin, self._margin), unit)

    def svg(self, turn: Turn) -> str:
        """Return the frame of a turn as SVG."""
        canvas = SvgCanvas(self.width, self.height, f"{title_of(self._looks)}, turn {turn.turn}")
        canvas.rect((0, 0), (self.width, self.height), PAPER)
        self._board.cells(canvas)
        self._draw(canvas, turn)
        return canvas.document()

    def image(self, turn: Turn) -> "Image.Image":
        """Return the frame of a turn in red, green and blue. Needs Pillow."""
        canvas = self._empty.copy()
        self._draw(canvas, turn)
        return canvas.image()

    @cached_property
    def _empty(self) -> PixelCanvas:
        canvas = PixelCanvas(self.width, self.height, PAPER)
        self._board.cells(canvas)
        return canvas

    @property
    def _heading(self) -> float:
        return 3.9 * self._letters

    def _draw(self, canvas: Canvas, turn: Turn) -> None:
        self._board.draw(canvas, turn, self._search)
        size, left, top = self._letters, self._panel, self._margin
        canvas.text((left, top + 1.3 * size), f"Turn {turn.turn}", 1.4 * size, INK)
        last = self.game.turns[-1].turn
        note = self._result() if turn.turn == last else f"of {last} · {self.game.ruleset}"
        canvas.text((left, top + 2.7 * size), self._cut(note), size, MUTED)
        room = (self.height - 2 * self._margin - self._heading) / max(len(self._looks), 1)
        pitch = min(4.0 * size, max(room, 2.4 * size))
        for snake in range(len(self._looks)):
            self._card(canvas, turn, snake, top + self._heading + snake * pitch)

    def _card(self, canvas: Canvas, turn: Turn, snake: int, top: float) -> None:
        """Draw the name, length and health of a snake, or how it died."""
        size, left = self._letters, self._panel
        placed, looks = turn.snakes[snake], self._looks[snake]
        canvas.rect((left, top), (0.35 * size, 2.2 * size), looks.colour, 0.15 * size)
        left += round(0.8 * size)
        name = self._cut(looks.name, 0.8 * size)
        canvas.text((left, top + 0.9 * size), name, size, INK if placed else MUTED)
        if placed:
            self._state(canvas, placed, left, top, looks.colour)
        else:
            canvas.text(
                (left, top + 2.1 * size), self._cut(self._death(turn, snake), 0.8 * size), size, MUTED
            )

    def _state(self, canvas: Canvas, placed: Placed, left: float, top: float, colour: str) -> None:
        size, right = self._letters, self.width - self._margin
        width = right - left - 7.8 * size
        health = min(max(placed.health, 0), 100)
        at = (left, top + 1.4 * size)
        canvas.rect(at, (width, 0.7 * size), CELL, 0.2 * size)
        canvas.rect(at, (width * health / 100, 0.7 * size), ALARM if health <= 20 else colour, 0.2 * size)
        canvas.text((left + width + 2.5 * size, top + 2.1 * size), str(placed.health), size, INK, "end")
        canvas.text((right, top + 2.1 * size), f"length {len(placed.body)}", size, MUTED, "end")

    def _death(self, turn: Turn, snake: int) -> str:
        since, death = self._deaths.get(snake, (0, Death(snake)))
        if not 0 < since <= turn.turn:
            return "not seen"
        cause = _CAUSES.get(death.cause or "", death.cause or "dead")
        # Without the board before, the snake may have died in an earlier turn.
        return f"{cause}, {'' if since - 1 in self._seen else 'by '}turn {since}"

    def _result(self) -> str:
        return result_of(self.game) or ("the last turn seen" if self.game.over else "so far")

    def _cut(self, words: str, indent: float = 0) -> str:
        """Return words without invisible letters, cut to the width of the panel."""
        words = readable(words)
        most = int((self.width - self._margin - self._panel - indent) / (_LETTER * self._letters))
        return words if len(words) <= most else f"{words[: most - 1]}…"


def _even(number: float) -> int:
    return round(number / 2) * 2
