"""Whether the arena can be trusted: A against itself, and against a crippled A, over many seeds.

    python -m benchmarks.calibration --seeds 20 --games 2000

Ends with exit code 1 when fewer than 95 % of the matches of A against itself have their interval around 0, or
when the crippled one isn't found out in fewer games than the test's expectation says.
"""

import os
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import click
import msgspec

from arena.games.entrants import parse_entrants
from arena.matches.match import play_match
from arena.matches.standing import Standing
from arena.matches.workers import LocalWorkers
from arena.records.files import MatchFile
from arena.records.model import Limits, Setup
from arena.statistics.elo import logistic_elo
from arena.statistics.sprt import Sprt
from tests.arena.setups import SMALL

# Nobody leaves a cell in constrictor, so games on a small board are over in 15 turns.
_RULES = msgspec.structs.replace(SMALL, ruleset="constrictor", max_turns=300)
_TEST = Sprt(0, 20)
_LEAST_SHARE = 0.95


class _Quiet:
    """A watcher that shows nothing."""

    def block_ended(self, standing: Standing, ended: int) -> None:
        """As arena.matches.match.MatchObserver says."""


@click.command(context_settings={"show_default": True})
@click.option("--seeds", type=click.IntRange(1), default=20)
@click.option("--games", type=click.IntRange(2), default=2000, help="Of A against itself, for each seed.")
@click.option("--nodes", type=click.IntRange(2), default=40, help="For a move of A.")
def main(seeds: int, games: int, nodes: int) -> None:
    """Play A against itself and against A with half the nodes and another evaluator."""
    held = sum(_holds(seed, games, nodes) for seed in range(1, seeds + 1))
    click.echo(f"A against A: {held} of {seeds} intervals hold 0")
    found = _finds_out(nodes)
    sys.exit(not (held >= _LEAST_SHARE * seeds and found))


def _holds(seed: int, games: int, nodes: int) -> bool:
    setup = _setup("paranoid/area", "paranoid/area,name=again", nodes, seed)
    standing = _play(msgspec.structs.replace(setup, blocks=games // 2))
    elo = logistic_elo(standing.tally)
    click.echo(f"seed {seed}: W/D/L {_results(standing)}, Elo {elo}", err=True)
    return elo.low <= 0 <= elo.high


def _finds_out(nodes: int) -> bool:
    """Whether the crippled one is found out, and no later than expected of a match that goes on like it."""
    setup = _setup("paranoid/area", f"paranoid/length,nodes={nodes // 2}", nodes, seed=1)
    standing = _play(msgspec.structs.replace(setup, blocks=10_000, test=_TEST))
    tally = standing.tally
    decision = _TEST.decision(tally)
    bound = _TEST.prospects(tally, _TEST.elo1).games
    click.echo(
        f"A against crippled A: {decision} after {standing.games} games, W/D/L {_results(standing)};"
        f" expected of a difference of {_TEST.elo1:g} Elo: {bound:.0f} games"
    )
    return decision == "accepted" and standing.games < bound


def _setup(first: str, second: str, nodes: int, seed: int) -> Setup:
    return Setup(parse_entrants((first, second), Limits(nodes=nodes)), snakes=2, rules=_RULES, seed=seed)


def _play(setup: Setup) -> Standing:
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(MatchFile(Path(folder) / "match.jsonl", setup, resume=False)) as file,
    ):
        return play_match(setup, None, LocalWorkers(os.cpu_count() or 1), file, _Quiet())[0]


def _results(standing: Standing) -> str:
    return "/".join(str(standing.results[name]) for name in ("win", "draw", "loss"))


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.calibration")
