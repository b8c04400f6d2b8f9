"""The board of a frame: dead snakes beneath living ones, and snakes across the edges of the board."""

from io import BytesIO

import msgspec
import pytest
from PIL import Image

from battlesnake_search.viewer.colours import rgb
from console.film.forms import Film, made
from console.film.frames import CELL, FOOD, PAPER, Frames
from console.film.looks import looks_of, mix
from console.store.values import Cell, Death, Game, Placed, Turn
from tests.console.web.script import duel

SIZE = 330
DEAD: list[Cell] = [(5, 5), (5, 4), (5, 3), (5, 2)]
"""The last body of a snake that dies in turn 1. The cell before its tail is free of other things."""


def game_of(*turns: Turn, ruleset: str = "standard") -> Game:
    """A duel with these turns."""
    game = msgspec.structs.replace(duel(), width=11, height=11, ruleset=ruleset, result=None)
    return msgspec.structs.replace(game, turns=list(turns))


def turn_of(number: int, *bodies: list[Cell] | None, food: tuple[Cell, ...] = ()) -> Turn:
    """A turn with these bodies. The second snake is dead from turn 2 on."""
    placed = [Placed(body, 90) if body else None for body in bodies]
    return Turn(number, list(food), [], placed, [Death(1)] if number == 2 else [], [None, None])


def pixel_of(game: Game, number: int, cell: tuple[float, float], form: str = "png") -> tuple[int, ...]:
    """The colour in the middle of a cell in a turn's picture, or in the last frame of a film up to it."""
    first = number if form == "png" else None
    with Image.open(BytesIO(made(game, Film(form=form, size=SIZE, first=first, last=number)))) as film:
        film.seek(getattr(film, "n_frames", 1) - 1)
        x, y = Frames(game, SIZE)._board._middle(cell)
        found = film.convert("RGB").getpixel((round(x), round(y)))
    assert isinstance(found, tuple)
    return found


@pytest.mark.parametrize("form", ["png", "gif"])
def test_a_dead_snake_is_shown_for_ten_more_turns(form: str) -> None:
    """A film is too fast for a body that one turn shows. The colour is the same in each form."""
    living: list[Cell] = [(0, 0), (1, 0), (2, 0)]
    game = game_of(turn_of(1, living, DEAD), *(turn_of(number, living, None) for number in range(2, 14)))
    pale = mix(CELL, looks_of(game.snakes)[1].colour, 0.3)
    seen = [pixel_of(game, number, DEAD[2], form) for number in (2, 12, 13)]
    assert seen == [rgb(pale), rgb(pale), rgb(CELL)]


def test_living_snakes_and_food_hide_the_dead() -> None:
    """Nothing of a snake that died earlier is drawn on a living snake or on food."""
    over: list[Cell] = [(4, 5), (5, 5), (6, 5)]
    game = game_of(turn_of(1, over, DEAD), turn_of(2, over, None), turn_of(3, over, None, food=(DEAD[2],)))
    assert pixel_of(game, 3, DEAD[0]) == rgb(looks_of(game.snakes)[0].colour)
    assert pixel_of(game, 3, DEAD[2]) == rgb(FOOD)


def test_a_snake_whose_tail_is_across_the_edge_reaches_the_edge() -> None:
    """Without it, the snake would seem to end on this side."""
    game = game_of(turn_of(1, [(8, 5), (9, 5), (10, 5), (0, 5)], None), ruleset="wrapped")
    colour = rgb(looks_of(game.snakes)[0].colour)
    assert [pixel_of(game, 1, (x, 5)) for x in (10.45, -0.45)] == [colour, colour]


def test_a_gif_keeps_the_colours_of_the_paper_and_the_cells() -> None:
    """The colours of large areas are exact."""
    game = duel()
    number = game.turns[-1].turn
    with Image.open(BytesIO(made(game, Film(form="gif")))) as film:
        film.seek(number)
        colours = {colour for _, colour in film.convert("RGB").getcolors(1 << 20) or ()}
    assert {rgb(PAPER), rgb(CELL)} <= colours
