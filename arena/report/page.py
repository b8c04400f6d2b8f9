"""The page of a match: one self-contained HTML file that needs no server."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from arena.conduct import Figures
from arena.records import Match
from arena.report import findings
from arena.report.replays import game_entry, match_entry, packed_replays
from arena.report.wording import title_text
from battlesnake_search import viewer
from battlesnake_search.common.types import Json


def page_of(match: Match) -> str:
    """Return the page as HTML. Raises ValueError, with block and game, if a record contradicts the rules."""
    match = _with_own_names(match)
    setup = match.setup
    blocks = [(block.number, packed_replays(setup.rules, block)) for block in match.blocks]
    standing, figures = findings.standing_of(match), Figures.of(setup, match.blocks)
    summary, *results = findings.results(standing, figures)
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


def _data(match: Match) -> Json:
    """Return the viewer's data of the match, without the replays."""
    listed = [
        game_entry(match.setup, f"{block.number}.{number}", game)
        for block in match.blocks
        for number, game in enumerate(block.games, 1)
    ]
    return match_entry(match.setup) | {"games": listed}
