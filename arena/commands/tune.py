"""`python -m arena tune`: finds better weights for an evaluator."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands.common import FILE, WHOLE, errors_in_a_line, output_option, shown_credentials
from arena.commands.match import LIMIT_OPTIONS, RULES_OPTIONS, options_of_match
from battlesnake_search.common import completion
from battlesnake_search.common.cli import examples
from battlesnake_search.common.cores import available_cores
from battlesnake_search.common.types import OptionValue

if TYPE_CHECKING:
    from arena.matches.workers import LocalWorkers
    from arena.tuning import Task, Trial
    from searcher.interface import Weight

_FIXED_OPTIONS = {"games": 1, "sprt": None, "strict": False}
"""Options of a match whose values are fixed in a tuning."""


@click.command(
    epilog=examples(
        "python -m arena tune balanced --output balanced.toml --trials 50",
        "python -m arena tune crowd/hungry --against crowd/hungry --company forager --company feeder "
        "--output hungry.toml",
    )
)
@click.argument("strategy", metavar="EVALUATOR", shell_complete=completion.evaluators)
@output_option("out", required=True, help="Where to write the weights, as TOML.")
@click.option(
    "--study", "file", type=FILE, help="Optuna's SQLite file of the trials; continued if it exists."
)
@click.option("--weights", "names", metavar="A,B", show_default="all", help="Which weights to tune.")
@click.option("--against", default="paranoid/area", help="The opponent, as in a match.")
@click.option("--trials", type=WHOLE, default=100, help="Sets of weights to try.")
@click.option("--pairs", type=WHOLE, default=16, help="Fair pairs, or blocks, of games in a trial.")
@click.option("--finalists", type=WHOLE, default=4, help="Number of the best trials to play again.")
@click.option("--final-pairs", type=WHOLE, default=64, help="Fair pairs, or blocks, for each finalist.")
def tune(
    strategy: str,
    out: Path,
    file: Path | None,
    names: str | None,
    against: str,
    trials: int,
    pairs: int,
    finalists: int,
    final_pairs: int,
    concurrency: int | None,
    **options: OptionValue,
) -> None:
    """Find weights with which an evaluator wins more.

    The candidate searches with paranoid, unless EVALUATOR names another search, as crowd/hungry does. The
    weights stay within the bounds that the evaluator declares. Each trial plays fair pairs of games against
    an opponent, or with --company blocks of games in which each snake has every seat. The best trials play
    again on other starts, and the weights of the best finalist are written. With --nodes or --depth, the same
    --seed finds the same weights, even if a tuning is killed and continued with the same --study.
    """
    # Import early, so that a missing package is reported before hours of games and not after them.
    from arena.games.entrants import write_weights
    from arena.matches.match import read_setup
    from arena.matches.workers import LocalWorkers
    from arena.tuning import Task
    from searcher.tools.weights import WeightsFile

    remedy = f"; the same command continues it from {file}" if file else ""
    with errors_in_a_line("the tuning was interrupted", remedy):
        if not out.parent.is_dir():
            raise ValueError(f"--output: there is no folder {out.parent}")
        strategy = strategy if "/" in strategy else f"paranoid/{strategy}"
        evaluator, weights = _chosen(strategy, names)
        setup = read_setup((f"{strategy},name=candidate", against), options | _FIXED_OPTIONS)
        task = Task(setup, weights, pairs, final_pairs)
        workers = LocalWorkers(concurrency or available_cores(), shown_credentials(options))
        best = _run(task, file, (trials, min(trials, finalists)), workers)
        write_weights(out, WeightsFile(evaluator, dict(best.weights)))
        _report(best, task)
        click.echo(f"Written to {out}.")


tune.params += options_of_match(*RULES_OPTIONS, *LIMIT_OPTIONS, "snakes", "company", "concurrency")


def _chosen(strategy: str, names: str | None) -> "tuple[str, tuple[Weight, ...]]":
    """Return the evaluator and the weights to tune. Raises ValueError, listing the valid ones."""
    from searcher.strategies import evaluators, parse_strategy

    evaluator = parse_strategy(strategy).evaluator
    known = {weight.name: weight for weight in evaluators()[evaluator].weights}
    chosen = list(known) if names is None else list(dict.fromkeys(names.split(",")))
    for name in chosen:
        if name not in known:
            raise ValueError(f"{evaluator} has no weight {name!r}; valid: {', '.join(known) or 'none'}")
    if not chosen:
        raise ValueError(f"{evaluator} has no weights")
    return evaluator, tuple(known[name] for name in chosen)


def _run(task: "Task", file: Path | None, amount: tuple[int, int], workers: "LocalWorkers") -> "Trial":
    from arena.tuning import Tuning, TuningProgress

    trials, finalists = amount
    with (
        TuningProgress(trials, finalists) as progress,
        closing(Tuning(task, file, workers, progress.trial_ended)) as tuning,
    ):
        return tuning.run(trials, finalists)


def _report(best: "Trial", task: "Task") -> None:
    from arena.statistics.elo import BlockTally, elo_difference, points

    tally = BlockTally.of_blocks(best.points, len(task.setup.entrants))
    share = points(tally)
    for name, value in best.weights.items():
        click.echo(f"{name:<12} {value:g}")
    click.echo(
        f"{share.value:.3f} of the points ({share.low:.3f} to {share.high:.3f}) against "
        f"{task.setup.entrants[1].name} in {tally.blocks} pairs, Elo {elo_difference(tally)}"
    )
