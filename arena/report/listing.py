"""The list of a match's games, as the picker of the viewer reads it."""

from itertools import chain
from typing import Any

from arena.records.model import Game, Setup
from arena.report.drawing import side_colour_name
from arena.report.wording import counted, result_text, winner


def match_entry(setup: Setup) -> dict[str, Any]:
    """Return what all games have in common: names, colours, board, and the filters as value and text."""
    rules = setup.rules
    return {
        "names": [entrant.name for entrant in setup.entrants],
        "colours": [side_colour_name(entrant) for entrant in range(len(setup.entrants))],
        "match": {
            "width": rules.width,
            "height": rules.height,
            "ruleset": rules.ruleset,
            "map": rules.map,
        },
        "filters": _filters(setup),
    }


def game_entry(setup: Setup, key: str, game: Game) -> dict[str, Any]:
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


def _filters(setup: Setup) -> list[tuple[str, str]]:
    wins = [(f"won-{index}", f"{entrant.name} won") for index, entrant in enumerate(setup.entrants)]
    results = [*wins, ("draw", "draws")] if setup.snakes > 1 else []
    return [("all", "all games"), *results, ("fault", "games with faults"), ("void", "void games")]


def _faults(game: Game) -> int:
    decisions = chain.from_iterable(turn.decisions for turn in game.turns)
    return sum(decision is not None and decision.fault is not None for decision in decisions)
