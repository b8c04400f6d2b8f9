"""The setup of games to learn from, from the options of a command line."""

from collections.abc import Mapping, Sequence
from typing import Any

from arena.data.playing import DataSetup
from arena.games import boards
from arena.games.entrants import parse_entrants, prepare
from arena.matches.setup import rules_of
from arena.pool import SEARCHES
from arena.records.model import Limits


def read_data_setup(players: Sequence[str], options: Mapping[str, Any]) -> DataSetup:
    """Return the setup, with all players compiled.

    `options` are those of `python -m arena games`, by the names of its parameters. Raises ValueError, naming
    what is valid, for an invalid option.
    """
    snakes = options["snakes"]
    rules = rules_of(options)
    if rules.ruleset == "solo":
        raise ValueError("--ruleset solo has no outcome to learn from: its snakes play alone")
    entrants = parse_entrants(players or default_players(snakes), Limits(nodes=options["nodes"]))
    # The board may be too small for so many snakes: report it now rather than in the first part.
    boards.set_up_board(rules, snakes, 0)
    prepare(entrants, rules, snakes)
    return DataSetup(entrants, snakes, rules, options["seed"], options["vary"], options["explore"])


def default_players(snakes: int) -> tuple[str, ...]:
    """Return the searches of the pool, and twice the evaluator that the default strategy uses."""
    ours = "paranoid/hungry" if snakes == 2 else "crowd/hungry"
    return (ours, ours, *SEARCHES)
