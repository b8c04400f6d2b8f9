"""A game in each form: its turns, its size and its colours, read back by the libraries that players use."""

from io import BytesIO
from xml.etree import ElementTree

import av
import msgspec
import pytest
from PIL import Image
from PIL.GifImagePlugin import GifImageFile

from battlesnake_search.viewer.colours import rgb
from console.film.forms import MOST_PIXELS, Film, FilmError, check_size, made
from console.film.frames import Frames
from console.film.looks import looks_of
from console.store.values import Game, Turn
from tests.battlesnake_search.viewer.console import recorded_game
from tests.console.web.script import duel

FIRST, LAST = 20, 29
"""The turns of most films here."""

NEAR = 40
"""The largest difference of a colour after a film's loss."""


@pytest.fixture(scope="module")
def four() -> Game:
    """A game of four by the official engine, one of them ours."""
    return msgspec.convert(recorded_game() | {"ended_at": None, "settings": {}}, Game)


def part(form: str, speed: int = 10) -> Film:
    """The wish for some turns of a game."""
    return Film(form=form, first=FIRST, last=LAST, size=330, speed=speed)


def check_head(image: Image.Image, game: Game, number: int) -> None:
    """The neck of each living snake has its colour on the image of a turn."""
    turn, frames = turn_of(game, number), Frames(game, 330)
    assert image.size == (frames.width, frames.height)
    for looks, placed in zip(looks_of(game.snakes), turn.snakes, strict=True):
        if placed:
            x, y = frames._board._middle(placed.body[1])
            found = image.convert("RGB").getpixel((round(x), round(y)))
            assert isinstance(found, tuple)
            assert max(abs(a - b) for a, b in zip(found, rgb(looks.colour), strict=True)) <= NEAR


def turn_of(game: Game, number: int) -> Turn:
    """The turn with a number."""
    return next(turn for turn in game.turns if turn.turn == number)


def test_a_gif_has_a_frame_for_each_turn(four: Game) -> None:
    """Each frame is the board of its turn, and the last one stays for a while."""
    with Image.open(BytesIO(made(four, part("gif", speed=20)))) as film:
        assert isinstance(film, GifImageFile)
        assert (film.n_frames, film.info["loop"]) == (LAST - FIRST + 1, 0)
        durations = []
        for index in range(film.n_frames):
            film.seek(index)
            durations.append(film.info["duration"])
            check_head(film, four, FIRST + index)
        assert durations == [50] * (LAST - FIRST) + [3000]


def test_a_gif_of_a_whole_game_is_small(four: Game) -> None:
    """A frame costs less than the four kilobytes that a film of 500 turns in two megabytes may take."""
    film = made(four, Film(form="gif"))
    assert len(film) < 4000 * len(four.turns)


def test_an_mp4_has_a_frame_for_each_turn(four: Game) -> None:
    """The film is H.264 with the wanted speed, and holds its last turn for three seconds."""
    with av.open(BytesIO(made(four, part("mp4"))), "r") as film:
        stream = film.streams.video[0]
        assert stream.codec_context.name == "h264" and stream.average_rate
        assert float(stream.average_rate) == 10
        images = [frame.to_image() for frame in film.decode(stream)]
    assert len(images) == LAST - FIRST + 1 + 30
    for index in (0, 5, LAST - FIRST, len(images) - 1):
        check_head(images[index], four, min(FIRST + index, LAST))


def test_a_drawing_names_every_snake(four: Game) -> None:
    """An SVG is well-formed, and has the turn and each snake's name, length and health as text."""
    drawing = ElementTree.fromstring(made(four, part("svg")))
    words = [element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert f"Turn {FIRST}" in words
    for looks, placed in zip(looks_of(four.snakes), turn_of(four, FIRST).snakes, strict=True):
        assert looks.name in words
        assert placed and {str(placed.health), f"length {len(placed.body)}"} <= {*words}


def test_the_search_is_shown_on_demand_alone(four: Game) -> None:
    """Without the option, neither a drawing nor a page has anything of our search."""
    plain, searched = (made(four, Film(form="svg", first=FIRST, search=search)) for search in (False, True))
    assert len(searched) > len(plain)
    hidden = [made(four, part("svg")), made(without_decisions(four), part("svg"))]
    assert hidden[0] == hidden[1]
    pages = [made(each, part("html")) for each in (four, without_decisions(four))]
    assert pages[0] == pages[1] != made(four, msgspec.structs.replace(part("html"), search=True))


def without_decisions(game: Game) -> Game:
    """A game as it was recorded by somebody else."""
    replace = msgspec.structs.replace
    turns = [replace(turn, decisions=[None] * len(game.snakes)) for turn in game.turns]
    snakes = [replace(snake, strategy="", experiment="", arm="") for snake in game.snakes]
    return replace(game, turns=turns, snakes=snakes)


def test_the_last_frame_has_the_result() -> None:
    """The winner is named at the end of a game, and a dead snake has the cause and the turn of its death."""
    game = duel()
    drawing = made(game, Film(form="svg", first=game.turns[-1].turn)).decode()
    assert game.result and game.result.winner is not None
    winner = looks_of(game.snakes)[game.result.winner].name
    assert f"{winner} won" in drawing and f", turn {game.turns[-1].turn}<" in drawing


def test_a_film_without_bounds_is_refused() -> None:
    """A film whose pixels would take minutes is an error that names the remedy. One turn less is made."""
    game = duel()
    frames = Frames(game, 2000)
    most = MOST_PIXELS // (frames.width * frames.height)
    check_size(frames, game.turns[:1] * most)
    with pytest.raises(FilmError, match="choose fewer turns or a smaller size"):
        check_size(frames, game.turns[:1] * (most + 1))


def test_every_name_can_be_drawn() -> None:
    """Names of any letters, and a ruleset of a stranger, leave a drawing well-formed and a picture whole."""
    game = duel()
    names = ["\N{SNAKE} \u865f", "<&\x00\ufffe\u202e>"]
    snakes = [msgspec.structs.replace(each, name=name) for each, name in zip(game.snakes, names, strict=True)]
    odd = msgspec.structs.replace(game, snakes=snakes, ruleset="\x07<b>\uffff")
    drawing = ElementTree.fromstring(made(odd, Film(form="svg", first=3)))
    words = [element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert {"\N{SNAKE} \u865f", "<&>"} <= {*words} and any("<b>" in (word or "") for word in words)
    with Image.open(BytesIO(made(odd, Film(form="png", first=3)))) as image:
        assert image.size[0] > 0
