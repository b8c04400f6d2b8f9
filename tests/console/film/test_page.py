"""A game in a page of one file, opened by a real browser without any server."""

from pathlib import Path

import msgspec

from console.film.forms import Film, made
from console.store.values import Game
from tests.battlesnake_search.viewer.console import recorded_game
from tests.support.browser import DESKTOP, Page


def test_the_page_plays_offline(page: Page, tmp_path: Path) -> None:
    """The file shows the board and the snakes of the turn in its address, and asks no server for anything."""
    game = msgspec.convert(recorded_game() | {"ended_at": None, "settings": {}}, Game)
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
        assert page.complaints() == []
