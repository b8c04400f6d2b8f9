"""A game in a page of one file, opened by a real browser without any server."""

from pathlib import Path

import msgspec
import pytest
from PIL import Image

from battlesnake_search.viewer.colours import rgb
from console.film.forms import Film, made
from console.film.looks import looks_of
from console.store.values import Game
from tests.battlesnake_search.viewer.console import recorded_game
from tests.support.browser import DESKTOP, Page, look


@pytest.fixture(scope="module")
def game() -> Game:
    """A game of four by the official engine, one of them ours."""
    return msgspec.convert(recorded_game() | {"ended_at": None, "settings": {}}, Game)


def test_the_page_plays_offline(page: Page, game: Game, tmp_path: Path) -> None:
    """The file shows the board and the snakes of the turn in its address, and asks no server for anything."""
    for search in (False, True):
        file = tmp_path / f"game-{search}.html"
        file.write_bytes(made(game, Film(form="html", search=search)))
        page.leave()
        page.visit(f"{file.as_uri()}#turn=57", DESKTOP)
        page.wait("document.querySelector('.cells') !== null")
        bodies = {
            str(index): " ".join(f"{x},{y}" for x, y in placed.body)
            for index, placed in enumerate(game.turns[57].snakes)
            if placed
        }
        assert (page.turn, page.shown().bodies) == (57, bodies)
        cards = page.do("[...document.querySelectorAll('.card')].map(card => card.innerText)")
        for card, snake, placed in zip(cards, game.snakes, game.turns[57].snakes, strict=True):
            assert placed and snake.name in card
            assert f"health {placed.health} · length {len(placed.body)}" in card
        assert page.do("document.querySelector('.pv')?.children.length ?? 0") == (4 if search else 0)
        assert page.do("document.querySelector('.decision') !== null") == search
        assert ("scores" in page.do("document.querySelector('.hint').innerText")) == search
        assert page.complaints() == []


def test_the_heading_has_the_result(page: Page, game: Game, tmp_path: Path) -> None:
    """An excerpt tells its turns, and the end of the game is not told beside its last turn."""
    assert game.result and game.result.winner is not None
    won = f"{game.snakes[game.result.winner].name} won"
    file, last = tmp_path / "game.html", game.turns[-1].turn
    for film, facts, turn in (
        (Film(form="html"), f"{last} turns, {won}", f"Turn {last} of {last} · {won}"),
        (Film(form="html", first=20, last=29), f"turns 20 to 29 of {last}, {won}", "Turn 29 of 29"),
    ):
        file.write_bytes(made(game, film))
        page.open(file, f"#turn={last}")
        assert page.do("document.querySelector('header p').innerText").endswith(facts)
        assert page.part("turn").text == turn
    file.write_bytes(made(msgspec.structs.replace(game, result=None), Film(form="html")))
    page.open(file)
    assert page.do("document.querySelector('header p').innerText").endswith(f"{last} turns, no end seen")


@pytest.mark.usefixtures("page")
async def test_a_single_look_shows_the_board(game: Game, tmp_path: Path) -> None:
    """The document that a headless browser writes at once has the board, and its picture has the snakes."""
    file, picture = tmp_path / "game.html", tmp_path / "page.png"
    # The packed data of many turns takes a while.
    turns = [msgspec.structs.replace(game.turns[20], turn=number) for number in range(2000)]
    file.write_bytes(made(msgspec.structs.replace(game, turns=turns), Film(form="html")))
    assert 'data-cells="' in await look(file.as_uri(), tmp_path / "profile", "--dump-dom")
    await look(file.as_uri(), tmp_path / "profile", "--window-size=1280,900", f"--screenshot={picture}")
    with Image.open(picture) as image:
        colours = image.convert("RGB").getcolors(image.width * image.height) or []
    counts = {colour: count for count, colour in colours}
    assert all(counts.get(rgb(looks.colour), 0) > 1000 for looks in looks_of(game.snakes))
