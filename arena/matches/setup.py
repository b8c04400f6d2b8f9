"""The setup of a match, from the options of a command line."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena.games import boards
from arena.games.entrants import parse_entrants, prepare
from arena.games.openings import Book, read_book
from arena.matches.block import games_in_block
from arena.records.model import Limits, Rules, Setup
from arena.statistics.sprt import Sprt
from searcher.engine.position import MAX_SNAKES

DEFAULT_NODES = 20_000


def read_setup(
    texts: Sequence[str], openings: Path | None, options: Mapping[str, Any]
) -> tuple[Setup, Book | None]:
    """Return the setup and its openings, if any, with all strategies compiled.

    `options` are those of `python -m arena match`, by the names of its parameters. Raises ValueError, naming
    what is valid, for an invalid option, and OSError if the openings can't be read.
    """
    entrants = parse_entrants(texts, _limits(options))
    if len(entrants) < 2:
        raise ValueError("a match needs two entrants or more")
    rules = _rules(options)
    snakes = _snakes(len(entrants), rules, options["snakes"])
    book = None if openings is None else read_book(openings, rules, snakes)
    setup = Setup(
        entrants=entrants,
        snakes=snakes,
        rules=rules,
        seed=options["seed"],
        strict=options["strict"],
        openings=None if book is None else book.digest,
        test=_test(options),
    )
    # The board may be too small for so many snakes: report it now rather than in the first block.
    boards.set_up_board(rules, snakes, 0)
    prepare(entrants, rules, snakes)
    blocks = -(-options["games"] // games_in_block(setup))
    return msgspec.structs.replace(setup, blocks=blocks), book


def _limits(options: Mapping[str, Any]) -> Limits:
    given = {key: options[key] for key in ("milliseconds", "depth", "nodes") if options[key] is not None}
    return Limits(**(given or {"nodes": DEFAULT_NODES}), threads=options["threads"])


def _rules(options: Mapping[str, Any]) -> Rules:
    ruleset = options["ruleset"]
    return Rules(
        ruleset=ruleset,
        map=options["map_"] or boards.default_map(ruleset),
        width=options["size"],
        height=options["size"],
        minimum_food=options["minimum_food"],
        food_spawn_chance=options["food_chance"],
        hazard_damage=options["hazard_damage"],
        shrink_every=options["shrink_every"],
        max_turns=options["max_turns"],
    )


def _snakes(entrants: int, rules: Rules, asked: int | None) -> int:
    if rules.ruleset == "solo":
        if asked not in (None, 1):
            raise ValueError(f"--snakes must be 1 in solo, not {asked}: each entrant plays alone")
        return 1
    snakes = entrants if asked is None else asked
    if entrants > MAX_SNAKES:
        raise ValueError(f"at most {MAX_SNAKES} entrants can play, not {entrants}")
    if not entrants <= snakes <= MAX_SNAKES:
        raise ValueError(
            f"--snakes must be {entrants} to {MAX_SNAKES}, not {snakes}: every entrant plays in every game"
        )
    return snakes


def _test(options: Mapping[str, Any]) -> Sprt | None:
    if options["sprt"] is None:
        return None
    elo0, elo1 = options["sprt"]
    return Sprt(elo0, elo1, options["alpha"], options["beta"], options["model"])
