"""The page of a match: one self-contained HTML file that needs no server."""

import base64
import hashlib
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from arena.gauntlet.figures import Figures
from arena.matches.standing import Standing
from arena.records.files import Match
from arena.records.model import Game, Setup
from arena.report import charts, conduct, findings
from arena.report.counts import counts_of
from arena.report.drawing import side_colour_name
from arena.report.replays import packed_replays
from arena.report.wording import counted, result_text, title_text, winner
from arena.statistics.sprt import Sprt
from viewer import assets

_TEMPLATES = Path(__file__).parent / "templates"
_SCRIPTS = ("replay.js", "report.js")


def page_of(match: Match, sprt: Sprt | None = None) -> str:
    """Return the page as HTML. `sprt` is the test to show, by default the test of the match, if any.

    Raises ValueError, naming block and game, if a record contradicts the rules.
    """
    setup = match.setup
    sprt = sprt or setup.test
    blocks = [(block.number, packed_replays(setup.rules, block)) for block in match.blocks]
    standing, counts, figures = findings.standing_of(match), counts_of(match), Figures.of(setup, match.blocks)
    results = [findings.ranking(standing), conduct.opponents(figures)]
    games = [conduct.conduct(figures), conduct.deaths(figures), conduct.growth(figures)]
    tables = [findings.faults(standing), findings.voids(standing), findings.effort(setup, counts)]
    script = "\n".join([assets.script(), *map(_source, _SCRIPTS)])
    return (
        _environment()
        .get_template("report.html.jinja")
        .render(
            title=title_text(setup),
            conclusion=findings.conclusion(standing, sprt),
            facts=findings.facts(match),
            entrants=findings.entrants(setup),
            summary=_summary(standing, figures, sprt),
            results=[*filter(None, results), *(games if standing.points else ())],
            tables=tables,
            charts=charts.charts(standing, counts, sprt),
            filters=_filters(setup),
            data=_data(match),
            blocks=blocks,
            style=Markup(assets.style() + _source("style.css")),
            script=Markup(script),
            script_digest=_digest(script),
        )
    )


def _summary(standing: Standing, figures: Figures, sprt: Sprt | None) -> findings.Table:
    if standing.setup.contenders == 1:
        return conduct.summary(standing, figures)
    return findings.summary(standing, sprt)


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _source(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    """Return the digest by which the page's content security policy allows its own script only."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _filters(setup: Setup) -> list[tuple[str, str]]:
    """Return the filters of the game picker: value and text."""
    wins = [(f"won-{index}", f"{entrant.name} won") for index, entrant in enumerate(setup.entrants)]
    results = [*wins, ("draw", "draws")] if setup.snakes > 1 else []
    return [("all", "all games"), *results, ("fault", "games with faults"), ("void", "void games")]


def _data(match: Match) -> dict[str, Any]:
    """Return the viewer's data of the match, without the replays."""
    setup, rules = match.setup, match.setup.rules
    listed = [
        [_game_data(setup, f"{block.number}.{number}", game) for number, game in enumerate(block.games, 1)]
        for block in match.blocks
    ]
    return {
        "names": [entrant.name for entrant in setup.entrants],
        "colours": [side_colour_name(entrant) for entrant in range(len(setup.entrants))],
        "match": {
            "width": rules.width,
            "height": rules.height,
            "ruleset": rules.ruleset,
            "map": rules.map,
        },
        "games": list(chain.from_iterable(listed)),
    }


def _game_data(setup: Setup, key: str, game: Game) -> dict[str, Any]:
    """Return a game as the picker lists it. `kinds` are the filters that it passes."""
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


def _faults(game: Game) -> int:
    decisions = chain.from_iterable(turn.decisions for turn in game.turns)
    return sum(decision is not None and decision.fault is not None for decision in decisions)
