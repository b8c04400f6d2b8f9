"""A calibration of the arena: matches of A against itself and against a weakened A, over many seeds.

    python -m benchmarks.calibration --seeds 20 --games 2000

The exit code is 1 if fewer than 95 % of the Elo intervals of A against itself contain 0. It is also 1 if the
test takes more games than expected to detect the weakened A.
"""

import sys
import tempfile
from contextlib import closing
from pathlib import Path

import click
import msgspec

from arena.games.entrants import parse_entrants, prepare
from arena.matches.match import play_match
from arena.matches.standing import Standing
from arena.matches.workers import LocalWorkers
from arena.records import MatchFile, MoveLimits, Setup
from arena.statistics.elo import logistic_elo
from arena.statistics.sprt import Sprt
from battlesnake_search.common.cli import CONTEXT
from battlesnake_search.common.cores import available_cores
from tests.arena.setups import SMALL

# In constrictor no cell becomes free again, so games on a small board are over within 15 turns.
_RULES = msgspec.structs.replace(SMALL, ruleset="constrictor", max_turns=300)
_TEST = Sprt(0, 20)

_NODES = 40
"""Nodes for each move of A."""

_MIN_COVERAGE = 0.95
"""The least share of the intervals that must contain 0."""

_MAX_BLOCKS = 10_000
"""The most blocks of the match against the weakened A."""


class _Quiet:
    """A watcher that ignores all events."""

    def block_ended(self, standing: Standing, ended: int) -> None:
        """Ignore the end of a block."""


@click.command(context_settings=CONTEXT)
@click.option("--seeds", type=click.IntRange(1), default=20)
@click.option(
    "--games", type=click.IntRange(2), default=2000, help="Games of A against itself for each seed."
)
def main(seeds: int, games: int) -> None:
    """Play A against itself and against A with half the nodes and another evaluator."""
    covering = sum(_covers_zero(seed, games) for seed in range(1, seeds + 1))
    click.echo(f"A against A: {covering} of {seeds} intervals contain 0")
    detected = _detects_weakened()
    sys.exit(not (covering >= _MIN_COVERAGE * seeds and detected))


def _covers_zero(seed: int, games: int) -> bool:
    """Play A against itself; return whether the Elo interval contains 0."""
    setup = _setup("paranoid/area", "paranoid/area,name=again", seed)
    standing = _play(msgspec.structs.replace(setup, blocks=games // 2))
    elo = logistic_elo(standing.tally)
    click.echo(f"seed {seed}: W/D/L {_results(standing)}, Elo {elo}", err=True)
    return elo.low <= 0 <= elo.high


def _detects_weakened() -> bool:
    """Play A against the weakened A; return whether the test detects it in fewer games than expected."""
    setup = _setup("paranoid/area", f"paranoid/length,nodes={_NODES // 2}", seed=1)
    standing = _play(msgspec.structs.replace(setup, blocks=_MAX_BLOCKS, test=_TEST))
    tally = standing.tally
    decision = _TEST.decision(tally)
    expected = _TEST.prospects(tally, _TEST.elo1).games
    click.echo(
        f"A against weakened A: {decision} after {standing.games} games, W/D/L {_results(standing)};"
        f" expected for a difference of {_TEST.elo1:g} Elo: {expected:.0f} games"
    )
    return decision == "accepted" and standing.games < expected


def _setup(first: str, second: str, seed: int) -> Setup:
    entrants = parse_entrants((first, second), MoveLimits(nodes=_NODES))
    prepare(entrants, _RULES, snakes=2)
    return Setup(entrants, snakes=2, rules=_RULES, seed=seed)


def _play(setup: Setup) -> Standing:
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(MatchFile(Path(folder) / "match.jsonl", setup, resume=False)) as file,
    ):
        return play_match(setup, None, LocalWorkers(available_cores()), file, _Quiet())[0]


def _results(standing: Standing) -> str:
    return "/".join(str(standing.results[name]) for name in ("win", "draw", "loss"))


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.calibration")
