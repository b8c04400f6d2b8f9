"""The page of a game: the viewer and the game in one file, which needs no server."""

from functools import cache
from html import escape
from pathlib import Path
from string import Template

import msgspec

from battlesnake_search import viewer
from console.film.looks import looks_of, title_of
from console.store.values import Game

_FOLDER = Path(__file__).parent


def page_of(game: Game, search: bool) -> str:
    """Return the page as HTML. Without `search`, it has nothing of our strategies and their findings."""
    shown = game if search else _without_search(game)
    script = f"{viewer.script()}\n{_source('page.js')}"
    board = f"{game.ruleset} {game.width}x{game.height}"
    return Template(_source("page.html")).substitute(
        title=escape(title_of(looks_of(game.snakes))),
        facts=escape(f"{board}, {game.turns[-1].turn} turns"),
        style=f"{viewer.style()}{_source('page.css')}",
        data=viewer.packed(msgspec.json.encode(shown)),
        script=script,
        digest=viewer.digest(script),
    )


def _without_search(game: Game) -> Game:
    replace = msgspec.structs.replace
    nobody = [None for _ in game.snakes]
    return replace(
        game,
        snakes=[replace(snake, strategy="", experiment="", arm="") for snake in game.snakes],
        turns=[replace(turn, decisions=nobody) for turn in game.turns],
    )


@cache
def _source(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
