"""A match: its setup, from the options of a command line, and its course from the first block to the end.

Blocks end in any order, and are counted in the order of their numbers. So the decision of a test neither
favours short games nor depends on the number of workers.
"""

import secrets
from collections.abc import Callable, Sequence
from contextlib import closing
from enum import Enum

import msgspec

from arena.games import boards
from arena.games.entrants import is_url, parse_entrants, prepare
from arena.matches.schedule import blocks_for
from arena.matches.standing import Standing
from arena.matches.workers import Workers
from arena.records import Block, MatchFile, MoveLimits, Rules, Setup
from arena.statistics.sprt import Sprt
from battlesnake_search.common.types import Options
from battlesnake_search.contract.limits import MAX_SNAKES

DEFAULT_NODES = 20_000


def read_setup(texts: Sequence[str], options: Options) -> Setup:
    """Return the setup, with all strategies compiled.

    `options` are the options of `python -m arena match`, by parameter. Raises ValueError, naming the valid
    values, for an invalid option.
    """
    if len(texts) < 2:
        raise ValueError("a match needs two entrants or more")
    return _read(texts, options["company"], options)


def read_gauntlet(text: str, opponents: Sequence[str], options: Options) -> Setup:
    """Return the setup of an entrant's gauntlet, as `read_setup` does for a match."""
    return _read((text,), opponents, {**options, "sprt": None})


def _read(contenders: Sequence[str], company: Sequence[str], options: Options) -> Setup:
    entrants = parse_entrants([*contenders, *company], limits_of(options))
    rules = rules_of(options)
    snakes = _snakes(len(contenders), len(company), rules, options["snakes"])
    setup = Setup(
        entrants=entrants,
        snakes=snakes,
        rules=rules,
        seed=options["seed"],
        strict=options["strict"],
        test=None if options["sprt"] is None else Sprt(*options["sprt"]),
        company=len(company),
        nonce=secrets.token_hex(4) if any(map(is_url, entrants)) else "",
    )
    prepare(entrants, rules, snakes)
    return msgspec.structs.replace(setup, blocks=blocks_for(setup, options["games"]))


def limits_of(options: Options) -> MoveLimits:
    """Return the limits in the options of a match, by default of nodes."""
    given = {key: options[key] for key in ("milliseconds", "depth", "nodes") if options[key] is not None}
    return MoveLimits(**(given or {"nodes": DEFAULT_NODES}), threads=options["threads"])


def rules_of(options: Options) -> Rules:
    """Return the rules in the options of a match. The options have the names of their parameters."""
    map_ = options["map_"] or boards.default_map(options["ruleset"])
    width, height = boards.default_size(map_)
    return Rules(
        ruleset=options["ruleset"],
        map=map_,
        width=options.get("width") or options["size"] or width,
        height=options.get("height") or options["size"] or height,
        minimum_food=options["minimum_food"],
        food_spawn_chance=options["food_chance"],
        hazard_damage=options["hazard_damage"],
        shrink_every=options["shrink_every"],
        max_turns=options["max_turns"],
    )


def _snakes(contenders: int, company: int, rules: Rules, asked: int | None) -> int:
    if rules.ruleset == "solo":
        return _snakes_in_solo(company, asked)
    fewest = contenders + bool(company)
    if fewest > MAX_SNAKES:
        raise ValueError(f"at most {MAX_SNAKES} entrants can play, not {fewest}")
    snakes = min(contenders + company, MAX_SNAKES) if asked is None else asked
    if not fewest <= snakes <= MAX_SNAKES:
        who = "every entrant plays in every game" + ", with company" * bool(company)
        raise ValueError(f"--snakes must be {fewest} to {MAX_SNAKES}, not {snakes}: {who}")
    return snakes


def _snakes_in_solo(company: int, asked: int | None) -> int:
    if company:
        raise ValueError("solo has neither company nor opponents: each entrant plays alone")
    if asked not in (None, 1):
        raise ValueError(f"--snakes must be 1 in solo, not {asked}: each entrant plays alone")
    return 1


class MatchEnd(Enum):
    """The reason why a match ended."""

    PLAYED = "all games are played"
    DECIDED = "the test is decided"
    STRICT = "a fault, and the match is strict"


OnBlock = Callable[[Standing, int], None]
"""Receives the standing after the counted blocks, and the number of blocks that have ended."""


def play_match(
    setup: Setup, workers: Workers, file: MatchFile, on_block: OnBlock
) -> tuple[Standing, MatchEnd]:
    """Play the blocks that the file lacks, until the test is decided or all blocks are played.

    Each block is in the file before `on_block` is called. When the match ends, the file has only the
    counted blocks. Raises WorkersLostError or the file's OSError. The file then has all blocks that were
    played before.
    """
    counter, ended = _BlockCounter(setup), set()
    for block in file.earlier():
        ended.add(block.number)
        counter.receive(block)
    on_block(counter.standing, len(ended))
    left = [number for number in range(setup.blocks) if number not in ended]
    with closing(workers.play(setup, left if counter.end is None else [])) as blocks:
        while counter.end is None:
            block = next(blocks)
            file.append(block)
            ended.add(block.number)
            counter.receive(block)
            on_block(counter.standing, len(ended))
    file.finish(counter.standing.blocks)
    return counter.standing, counter.end


class _BlockCounter:
    """Receives blocks in any order, and counts them in the order of their numbers until the match ends."""

    def __init__(self, setup: Setup) -> None:
        self.standing = Standing(setup)
        self.end: MatchEnd | None = None if setup.blocks else MatchEnd.PLAYED
        self._setup = setup
        self._waiting: dict[int, Block] = {}

    def receive(self, block: Block) -> None:
        """Receive a block that has ended."""
        self._waiting[block.number] = block
        while self.end is None and self.standing.blocks in self._waiting:
            counted = self._waiting.pop(self.standing.blocks)
            self.standing.add(counted)
            self.end = self._end_after(counted)

    def _end_after(self, block: Block) -> MatchEnd | None:
        if any(game.ending == "strict" for game in block.games):
            return MatchEnd.STRICT
        if self.standing.sprt_decision != "undecided":
            return MatchEnd.DECIDED
        return MatchEnd.PLAYED if self.standing.blocks >= self._setup.blocks else None
