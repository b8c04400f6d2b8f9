"""The page of a match: one self-contained HTML file that needs no server."""

from functools import cache
from pathlib import Path

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
