"""The page of a game: the viewer and the game in one file, which needs no server."""

from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from string import Template

import msgspec

from battlesnake_search import viewer
from console.film.looks import looks_of, result_of, title_of
from console.store.values import Game, Turn

_FOLDER = Path(__file__).parent


def page_of(game: Game, turns: Sequence[Turn], search: bool) -> str:
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
