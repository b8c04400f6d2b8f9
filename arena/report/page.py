"""The page of a match: one self-contained HTML file that needs no server."""

from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from arena.records import Block, Game, Match, Setup
from arena.report import findings
from arena.report.recorded import document_of
from arena.report.wording import result_text, title_text, winner
from battlesnake_search import viewer
from battlesnake_search.common.cli import counted
from battlesnake_search.common.types import Json


def page_of(match: Match) -> str:
    """Return the page as HTML. Raises ValueError, with block and game, if a record contradicts the rules."""
    match = _with_own_names(match)
    setup = match.setup
    blocks = [(block.number, _packed(setup, block)) for block in match.blocks]
    standing = findings.standing_of(match)
    summary, *results = findings.results(standing)
    script = f"{viewer.script()}\n{_source('report.js')}"
    return (
        _environment()
        .get_template("report.html.jinja")
        .render(
            title=title_text(setup),
            conclusion=findings.conclusion(standing),
            facts=findings.facts(match),
            entrants=findings.entrants(setup),
            summary=summary,
            results=results,
            times=findings.times(match),
            data=_data(match),
            blocks=blocks,
            style=Markup(viewer.style() + _source("style.css")),
            script=Markup(script),
            script_digest=viewer.digest(script),
        )
    )


def _with_own_names(match: Match) -> Match:
    """Return a match whose entrants at URLs have the names that their snakes had on the boards."""
    names: dict[int, str] = {}
    for game in (game for block in match.blocks for game in block.games):
        names |= {seat: looks.name for seat, looks in zip(game.seats, game.looks, strict=False) if looks.name}
    entrants = list(match.setup.entrants)
    for index, own in names.items():
        taken = {entrant.name for other, entrant in enumerate(entrants) if other != index}
        numbered = (own, *(f"{own} {number}" for number in range(2, len(entrants) + 2)))
        name = next(each for each in numbered if each not in taken)
        entrants[index] = msgspec.structs.replace(entrants[index], name=name)
    return replace(match, setup=msgspec.structs.replace(match.setup, entrants=tuple(entrants)))


_TEMPLATES = Path(__file__).parent / "templates"


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _source(name: str) -> str:
    """Return the text of a file of the templates."""
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _packed(setup: Setup, block: Block) -> str:
    """Return a block's games for the viewer, as JSON, deflated (zlib), in base64."""
    games = []
    for number, game in enumerate(block.games, 1):
        try:
            games.append(document_of(setup, game, f"game-{block.number}.{number}"))
        except ValueError as error:
            raise ValueError(f"block {block.number}, game {number}, {error}") from None
    return viewer.packed(msgspec.json.encode(games))


def _data(match: Match) -> Json:
    """Return the list of a match's games for the viewer, and its filters as value and text."""
    listed = [
        _listed(match.setup, f"{block.number}.{number}", game)
        for block in match.blocks
        for number, game in enumerate(block.games, 1)
    ]
    return {"filters": _filters(match.setup), "games": listed}


def _listed(setup: Setup, key: str, game: Game) -> Json:
    """Return a game for the viewer's list of games. `kinds` are the filters that the game passes."""
    result, faults = result_text(setup, game), _faults(game)
    kinds = ["all"]
    if game.void:
        kinds.append("void")
    elif setup.snakes > 1:
        won = winner(setup, game)
        kinds.append("draw" if won is None else f"won-{won}")
    if faults:
        kinds.append("fault")
    parts = [key, result, counted(len(game.turns), "turn"), counted(faults, "fault") if faults else ""]
    return {
        "key": key,
        "kinds": kinds,
        "text": " · ".join(filter(None, parts)),
        "ending": f"{result} ({game.ending})",
        "first": game.start.turn,
    }


def _filters(setup: Setup) -> list[tuple[str, str]]:
    wins = [(f"won-{index}", f"{entrant.name} won") for index, entrant in enumerate(setup.entrants)]
    results = [*wins, ("draw", "draws")] if setup.snakes > 1 else []
    return [("all", "all games"), *results, ("fault", "games with faults"), ("void", "void games")]


def _faults(game: Game) -> int:
    decisions = chain.from_iterable(turn.decisions for turn in game.turns)
    return sum(decision is not None and decision.fault is not None for decision in decisions)
