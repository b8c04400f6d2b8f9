"""The frames of a film: the board of a turn, and the snakes with their length and health beside it.

The board is drawn as battlesnake_search/viewer/static/board.js draws it in a browser.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, NamedTuple

from battlesnake_search.board import MOVES
from console.film.canvas import Canvas, PixelCanvas, Place, Point, SvgCanvas
from console.film.looks import Looks, looks_of, mix, readable, result_of, title_of
from console.store.assembly import Rules
from console.store.values import Cell, Death, Game, Placed, Turn

if TYPE_CHECKING:
    from PIL import Image

PAPER, CELL, FOOD, HAZARD = "#ffffff", "#e9edf1", "#d92f3c", "#2a1f4d"
INK, MUTED, RIM, WHITE, ALARM = "#1b2430", "#5b6876", "#4a5562", "#ffffff", "#b3261e"

_FILLS = {"eye": WHITE, "ink": "#10141a", "nose": FOOD}
_LINES = {
    "seam": ("#10141a", 0.03),
    "teeth": (WHITE, 0.05),
    "crossed": ("#10141a", 0.05),
    "tongue": (FOOD, 0.05),
}
"""The colours and widths of a head's parts, by their classes in viewer.css."""

_TIMES = "\N{MULTIPLICATION SIGN}"

_BEYOND = 0.25
"""How far a snake that crosses the edge is drawn from the centre of its last cell, besides the round end."""

_LAID_OUT = 10
"""The turns for which a film shows the body of a dead snake, after the turn of its death. The official films
do so, too: one turn of a film is too short to see it."""

_MOST_CELLS = 10_000
"""The most cells that are drawn one by one."""

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


class _Fall(NamedTuple):
    """The death of a snake: the first turn without it, its cell, and its last body."""

    snake: int
    since: int
    at: Cell
    body: Sequence[Cell]


class BoardDrawing:
    """A game's board on surfaces: `at` is its top left corner, and a cell is `unit` pixels wide."""

    def __init__(self, game: Game, looks: Sequence[Looks], at: Point, unit: float) -> None:
        self._game = game
        self._rules = Rules.of(game)
        self._looks = looks
        self._at = at
        self._unit = unit
        self._falls = list(self._deaths())

    def cells(self, canvas: Canvas) -> None:
        """Draw the empty board."""
        width, height = self._game.width, self._game.height
        if width * height > _MOST_CELLS:
            canvas.rect(self._at, (width * self._unit, height * self._unit), CELL)
            return
        for x in range(width):
            for y in range(height):
                self._cell(canvas, (x, y), CELL)

    def draw(self, canvas: Canvas, turn: Turn, with_search: bool = False) -> None:
        """Draw the board of a turn; `with_search` adds the lines that searches of ours expect."""
        unit = self._unit
        for cell, layers in Counter(turn.hazards).items():
            shade = 1 - 0.72**layers
            canvas.rect(self._corner(cell), (unit, unit), mix(PAPER, HAZARD, shade))
            self._cell(canvas, cell, mix(CELL, HAZARD, shade))
        fallen = [each for each in self._falls if each.since <= turn.turn]
        for each in fallen:
            if turn.turn - each.since <= _LAID_OUT:
                self._fallen(canvas, each)
        for each in fallen:
            if each.since < turn.turn:
                self._cross(canvas, each, is_new=False)
        for cell in turn.food:
            canvas.circle(self._middle(cell), 0.24 * unit, FOOD)
        living = [
            (self._looks[each], placed) for each, placed in enumerate(turn.snakes) if placed and placed.body
        ]
        for looks, placed in living:
            self._body(canvas, looks, placed)
        for decision in turn.decisions if with_search else ():
            if decision is not None:
                self._expected(canvas, turn, decision.pv)
        for looks, placed in living:
            self._head(canvas, looks, placed)
        for _, placed in living:
            self._stack(canvas, placed.body)
        # The winner of a head-to-head has its head there.
        for each in fallen:
            if each.since == turn.turn:
                self._cross(canvas, each, is_new=True)

    def _cell(self, canvas: Canvas, cell: Cell, colour: str) -> None:
        side = 0.94 * self._unit
        canvas.rect(self._corner(cell, 0.03), (side, side), colour, 0.08 * self._unit)

    def _corner(self, cell: Cell, inset: float = 0) -> Point:
        x, y = self._at
        return x + (cell[0] + inset) * self._unit, y + (self._game.height - 1 - cell[1] + inset) * self._unit

    def _middle(self, cell: Sequence[float]) -> Point:
        x, y = self._at
        return x + (cell[0] + 0.5) * self._unit, y + (self._game.height - cell[1] - 0.5) * self._unit

    def _body(self, canvas: Canvas, looks: Looks, placed: Placed) -> None:
        body, unit = placed.body, self._unit
        unfolded = len(body) > 1 and body[-1] != body[-2]
        strokes = self._trunk(body) if unfolded else list(self._strokes(body))
        place = self._facing(body[-1], body[-1], body[-2]) if unfolded else None
        for width, colour in ((0.78, RIM), (0.72, looks.colour)):
            for points in strokes:
                canvas.line(points, width * unit, colour)
            if place:
                rim = (RIM, 0.06 * unit) if colour is RIM else ("", 0.0)
                canvas.path(looks.tail["outline"], place, colour, *rim)
                for x, radius in looks.tail["knobs"]:
                    canvas.circle(place.at(x, 0), radius * unit, colour, *rim)

    def _head(self, canvas: Canvas, looks: Looks, placed: Placed) -> None:
        head = placed.body[0]
        neck = next((cell for cell in placed.body if cell != head), (head[0], head[1] - 1))
        place, unit = self._facing(head, neck, head), self._unit
        canvas.path(looks.head["skull"], place, looks.colour, RIM, 0.03 * unit)
        for kind, *rest in looks.head["parts"]:
            if kind == "path":
                d, name = rest
                fill, (line, width) = _FILLS.get(name, ""), _LINES.get(name, ("", 0))
                canvas.path(d, place, fill, line, width * unit)
            else:
                for x, y, radius, name in [rest] if kind == "dot" else _eyes(*rest):
                    rim = ("#10141a", 0.02 * unit) if name == "eye" else ("", 0.0)
                    canvas.circle(place.at(x, y), radius * unit, _FILLS[name], *rim)

    def _stack(self, canvas: Canvas, body: Sequence[Cell]) -> None:
        """Write how many parts lie on the tail's cell, if several do."""
        count = body.count(body[-1])
        if count > 1:
            x, y = self._middle(body[-1])
            below = 0.42 if body[-1] == body[0] else 0.12
            canvas.text(
                (x, y + below * self._unit), f"{_TIMES}{count}", 0.34 * self._unit, WHITE, "middle", "#10141a"
            )

    def _deaths(self) -> Iterator[_Fall]:
        """Yield the deaths of the game, but for those of snakes that were never seen alive."""
        seen: dict[int, tuple[Turn, list[Cell]]] = {}
        for turn in self._game.turns:
            for snake in (death.snake for death in turn.deaths if death.snake in seen):
                before, body = seen[snake]
                decision = before.decisions[snake]
                at = self._next(body[0], self._rules.made(decision, body)) if decision else body[0]
                yield _Fall(snake, turn.turn, at, body)
            seen |= {
                each: (turn, placed.body) for each, placed in enumerate(turn.snakes) if placed and placed.body
            }

    def _fallen(self, canvas: Canvas, fall: _Fall) -> None:
        """Draw the body of a dead snake."""
        at, body = fall.at, fall.body
        colour = mix(CELL, self._looks[fall.snake].colour, 0.3)
        for points in self._strokes([at, *body[:-1]] if at != body[0] else body[:-1] or body):
            canvas.line(points, 0.74 * self._unit, colour)

    def _cross(self, canvas: Canvas, fall: _Fall, is_new: bool) -> None:
        """Mark the cell where a snake died."""
        x, y = self._middle(
            [min(max(part, -0.5), side - 0.5) for part, side in zip(fall.at, self._sides, strict=True)]
        )
        arm = 0.26 * self._unit
        for slope in (-arm, arm):
            colour = "#16181d" if is_new else mix(CELL, "#16181d", 0.35)
            canvas.line([(x - arm, y - slope), (x + arm, y + slope)], 0.16 * self._unit, colour)

    def _expected(self, canvas: Canvas, turn: Turn, pv: Sequence[Sequence[str | None]]) -> None:
        """Draw the moves that a search expects of all snakes."""
        for snake, placed in enumerate(turn.snakes):
            if not placed or not placed.body:
                continue
            cells = [placed.body[0]]
            for move in takewhile(bool, (moves[snake] for moves in pv)):
                cells.append(self._next(cells[-1], move or ""))
            on_board = [
                cell
                for cell in cells
                if all(0 <= part < side for part, side in zip(cell, self._sides, strict=True))
            ]
            if len(on_board) > 1:
                self._route(canvas, on_board, mix(self._looks[snake].colour, INK, 0.35))

    def _route(self, canvas: Canvas, cells: Sequence[Cell], colour: str) -> None:
        for width, paint in ((0.24, PAPER), (0.12, colour)):
            for points in self._strokes(cells):
                canvas.line(points, width * self._unit, paint)
        canvas.circle(self._middle(cells[-1]), 0.14 * self._unit, colour, PAPER, 0.06 * self._unit)

    @property
    def _sides(self) -> Cell:
        return self._game.width, self._game.height

    def _next(self, cell: Cell, move: str) -> Cell:
        return self._rules.step(cell, move) if move in MOVES else cell

    def _facing(self, cell: Cell, start: Cell, end: Cell) -> Place:
        """Return the place of a shape on a cell whose x axis points from one cell to the next."""
        dx, dy = _step(start, end)
        return Place(*self._middle(cell), self._unit, (dx, -dy) if dx or dy else (1, 0))

    def _trunk(self, body: Sequence[Cell]) -> list[list[Point]]:
        """Return the lines of a body without its tail, up to the edge if the tail lies across it."""
        whole, trunk = (list(self._strokes(cells)) for cells in (body, body[:-1]))
        return whole[:-1] if len(whole) > len(trunk) else trunk

    def _strokes(self, cells: Sequence[Cell]) -> Iterator[list[Point]]:
        """Yield the lines through cells, cut where a snake crosses the edge of the board."""
        points = [self._middle(cells[0])]
        for start, end in pairwise(cells):
            dx, dy = _step(start, end)
            if (end[0] - start[0], end[1] - start[1]) != (dx, dy):
                yield _without_straights(
                    [*points, self._middle((start[0] + dx * _BEYOND, start[1] + dy * _BEYOND))]
                )
                points = [self._middle((end[0] - dx * _BEYOND, end[1] - dy * _BEYOND))]
            points.append(self._middle(end))
        yield _without_straights(points)


def _without_straights(points: Sequence[Point]) -> list[Point]:
    """Return the ends and the corners of a line."""
    inner = zip(points, points[1:], points[2:], strict=False)
    corners = [
        at for (x1, y1), at, (x2, y2) in inner if abs(x1 - x2) > 1e-6 < abs(y1 - y2) or (x1, y1) == (x2, y2)
    ]
    return [points[0], *corners, *points[1:][-1:]]


def _eyes(x: float, y: float, radius: float) -> Iterator[tuple[float, float, float, str]]:
    for side in (-y, y):
        yield x, side, radius, "eye"
        yield x + radius / 3, side, radius / 2, "ink"


def _step(start: Cell, end: Cell) -> Cell:
    """Return the step between neighbours, also across the edge of the board."""
    dx, dy = (b - a for a, b in zip(start, end, strict=True))
    return tuple(-(each > 0) + (each < 0) if abs(each) > 1 else each for each in (dx, dy))  # type: ignore[return-value]
