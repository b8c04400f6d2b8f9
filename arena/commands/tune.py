"""`python -m arena tune`: finds better weights for an evaluator. Imports what it needs when it runs."""

import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.commands.match import match

if TYPE_CHECKING:
    from arena.tuning.tuning import Task, Trial
    from searcher.interface import Weight

_WHOLE = click.IntRange(1)
_FILE = click.Path(dir_okay=False, path_type=Path)

_NO_MATCH = {"games": 1, "sprt": None, "strict": False}
"""Options of a match that a tuning does not have."""

_LIKE_A_MATCH = (
    *("milliseconds", "depth", "nodes", "threads", "ruleset", "map_", "size", "snakes", "max_turns", "seed"),
    *("food_chance", "minimum_food", "hazard_damage", "shrink_every"),
)
"""Options that it has as a match has them."""


@click.command(context_settings={"show_default": True})
@click.argument("evaluator")
@click.option("--out", type=_FILE, required=True, help="Where the weights go, as TOML.")
@click.option(
    "--study", "file", type=_FILE, help="Keeps the trials, an SQLite file of Optuna's; continues it."
)
@click.option("--weights", "names", metavar="A,B", help="Which weights to tune.  [default: all]")
@click.option("--against", default="paranoid/area", help="The opponent, as in a match.")
@click.option("--search", default="paranoid", help="What looks ahead for the candidate.")
@click.option("--trials", type=_WHOLE, default=100, help="Sets of weights to try.")
@click.option("--pairs", type=_WHOLE, default=16, help="Fair pairs of games for a trial.")
@click.option("--finalists", type=_WHOLE, default=4, help="The best trials, to be played again.")
@click.option("--final-pairs", type=_WHOLE, default=64, help="Fair pairs of games for each of them.")
@click.option("--concurrency", type=_WHOLE, help="Games at once.  [default: one for each core]")
def tune(
    evaluator: str,
    out: Path,
    file: Path | None,
    names: str | None,
    against: str,
    search: str,
    trials: int,
    pairs: int,
    finalists: int,
    final_pairs: int,
    concurrency: int | None,
    **options: Any,
) -> None:
    """Finds weights of an evaluator that win more, within the bounds that it declares.

    Each trial plays fair pairs of games against an opponent. The best trials are played again, on other
    starts, and the best of those finals is what is written. With --nodes or --depth the same --seed finds
    the same weights, also when a killed tuning was continued with the same --study.
    """
    from arena.matches.setup import read_setup
    from arena.tuning.tuning import Task

    try:
        if not out.parent.is_dir():
            raise ValueError(f"--out: there is no folder {out.parent}")
        weights = _chosen(search, evaluator, names)
        candidate = f"{search}/{evaluator},name=candidate"
        setup, _ = read_setup((candidate, against), None, options | _NO_MATCH)
        task = Task(setup, weights, pairs, final_pairs)
        best = _run(task, file, (trials, finalists), concurrency or os.cpu_count() or 1)
        _report(best, task, evaluator, out)
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from None


tune.params += [option for option in match.params if option.name in _LIKE_A_MATCH]


def _chosen(search: str, evaluator: str, names: str | None) -> "tuple[Weight, ...]":
    """The weights to tune. Raises ValueError, naming the valid ones."""
    from searcher.strategies import evaluators, parse_strategy

    parse_strategy(f"{search}/{evaluator}")
    known = {weight.name: weight for weight in evaluators()[evaluator].weights}
    chosen = list(known) if names is None else list(dict.fromkeys(names.split(",")))
    for name in chosen:
        if name not in known:
            raise ValueError(f"{evaluator} has no weight {name!r}; valid: {', '.join(known) or 'none'}")
    if not chosen:
        raise ValueError(f"{evaluator} has no weights")
    return tuple(known[name] for name in chosen)


def _run(task: "Task", file: Path | None, amount: tuple[int, int], processes: int) -> "Trial":
    from arena.matches.workers import LocalWorkers, WorkersLostError
    from arena.tuning.progress import TuningProgress
    from arena.tuning.tuning import Tuning

    trials, finalists = amount
    try:
        with (
            TuningProgress(trials, min(trials, finalists)) as progress,
            closing(Tuning(task, file, LocalWorkers(processes), progress)) as tuning,
        ):
            return tuning.run(trials, finalists)
    except (KeyboardInterrupt, WorkersLostError) as error:
        kept = f"; the same command continues it from {file}" if file else ""
        raise click.ClickException(f"the tuning was broken off{kept} {error}".rstrip()) from None


def _report(best: "Trial", task: "Task", evaluator: str, out: Path) -> None:
    from arena.games.weights import WeightsFile, write_weights
    from arena.statistics.elo import logistic_elo, points
    from arena.statistics.tally import Tally

    write_weights(out, WeightsFile(evaluator, dict(best.weights)))
    tally = Tally.of_blocks(best.points, len(task.setup.entrants))
    share = points(tally)
    for name, value in best.weights.items():
        click.echo(f"{name:<12} {value:g}")
    click.echo(
        f"{share.value:.3f} of the points ({share.low:.3f} to {share.high:.3f}) against "
        f"{task.setup.entrants[1].name} in {tally.blocks} pairs, Elo {logistic_elo(tally)}"
    )
    click.echo(f"Written to {out}.")
