"""Tuning: the search for the weights of an evaluator that win the most points against an opponent.

A trial plays pairs of games with candidate weights, and its value is their mean points. The first trial plays
the defaults. The weights of each further trial come from all earlier trials by the tree-structured Parzen
estimator (Bergstra, Bardenet, Bengio and Kégl, "Algorithms for Hyper-Parameter Optimization", 2011). The best
of many noisy values is biased upwards. So the best few trials play finals on starts that no trial has seen,
and only the finals are compared.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import msgspec
import optuna
from optuna.distributions import FloatDistribution
from optuna.samplers import TPESampler
from optuna.storages import RDBStorage
from optuna.trial import FrozenTrial, create_trial
from sqlalchemy.exc import SQLAlchemyError

from arena.matches.points import points
from arena.matches.progress import StepProgress
from arena.matches.workers import Workers
from arena.records import Block, Setup
from battlesnake_search.common.types import Json
from searcher.interface import Weight

optuna.logging.set_verbosity(optuna.logging.WARNING)

_STUDY = "tuning"
_FINALS_SEED = 1_000_003
"""The seed for the starts of finals is the setup's seed plus this number."""
_DIGITS = 4
"""The significant digits of proposed weights."""


class Task(msgspec.Struct, frozen=True):
    """Everything that the trials depend on."""

    setup: Setup
    """The match. The trials add weights to its first entrant, the candidate."""
    weights: tuple[Weight, ...]
    """The weights to tune."""
    pairs: int
    """The number of pairs of a trial. A pair is a block of the match."""
    final_pairs: int
    """The number of pairs of a final."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The weights of a trial, and the candidate's points in each pair that counts."""

    weights: Mapping[str, float]
    points: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean points, from 0 to 1."""
        return fmean(self.points)


OnTrial = Callable[[Sequence[Trial], Sequence[Trial]], None]
"""Receives all trials and all finals that have ended, after each of them."""


class Tuning:
    """An Optuna study that plays its trials as matches."""

    def __init__(self, task: Task, file: Path | None, workers: Workers, on_trial: OnTrial) -> None:
        """Open the study in the file, or a new one. Raises ValueError if the file holds anything else."""
        self._space = {
            weight.name: FloatDistribution(weight.minimum, weight.maximum) for weight in task.weights
        }
        self._storage = None if file is None else _storage(file)
        self._study, self._task = _open(task, self._storage, file)
        self._workers = workers
        self._on_trial = on_trial

    def run(self, trials: int, finalists: int) -> Trial:
        """Play the trials and finals that the study lacks, and return the best final.

        Each trial is in the file before `on_trial` is called. Raises WorkersLostError, or ValueError if
        no pair of a trial counts.
        """
        self._notify()
        for number in range(len(self.trials()), trials):
            self._play(number, self._proposal(number), final=False)
        tried = self.trials()[:trials]
        best = sorted(range(trials), key=lambda number: tried[number].mean, reverse=True)[:finalists]
        for number in best:
            if number not in self.finals():
                self._play(number, tried[number].weights, final=True)
        return max((self.finals()[number] for number in best), key=lambda final: final.mean)

    def close(self) -> None:
        """Close the file."""
        if self._storage is not None:
            self._storage.remove_session()
            self._storage.engine.dispose()

    def trials(self) -> list[Trial]:
        """Return the trials that have ended, without finals."""
        return [_trial(frozen) for frozen in self._study.trials if "final_of" not in frozen.user_attrs]

    def finals(self) -> dict[int, Trial]:
        """Return the finals that have ended, by the number of the trial that had these weights first."""
        finals = (frozen for frozen in self._study.trials if "final_of" in frozen.user_attrs)
        return {frozen.user_attrs["final_of"]: _trial(frozen) for frozen in finals}

    def _proposal(self, number: int) -> Mapping[str, float]:
        """Return the weights of a trial. They depend only on the earlier trials and the seed.

        They are proposed by a study in memory, so that a kill leaves no unfinished trial in the file.
        """
        if not number:
            return {weight.name: weight.default for weight in self._task.weights}
        sampler = TPESampler(seed=self._task.setup.seed + number, multivariate=True)
        study = optuna.create_study(direction="maximize", sampler=sampler)
        study.add_trials([self._frozen(trial, {}) for trial in self.trials()])
        proposed = study.ask(dict(self._space)).params
        return {weight.name: _rounded(proposed[weight.name], weight) for weight in self._task.weights}

    def _play(self, number: int, weights: Mapping[str, float], final: bool) -> None:
        """Play a trial or its final, on starts that no other trial or final uses, and store the result."""
        pairs = self._task.final_pairs if final else self._task.pairs
        setup = _with_weights(self._task.setup, weights, _FINALS_SEED if final else 0)
        numbers = range(number * pairs, (number + 1) * pairs)
        with closing(self._workers.play(setup, numbers)) as played:
            blocks = list(played)
        trial = Trial(weights, _values(setup, blocks))
        attributes: Json = {"points": list(trial.points)}
        self._study.add_trial(self._frozen(trial, attributes | ({"final_of": number} if final else {})))
        self._notify()

    def _notify(self) -> None:
        self._on_trial(self.trials(), list(self.finals().values()))

    def _frozen(self, trial: Trial, attributes: Json) -> FrozenTrial:
        return create_trial(
            params=dict(trial.weights),
            distributions=dict(self._space),
            value=trial.mean,
            user_attrs=attributes,
        )


def _trial(frozen: FrozenTrial) -> Trial:
    return Trial(frozen.params, tuple(frozen.user_attrs["points"]))


def _values(setup: Setup, blocks: Iterable[Block]) -> tuple[float, ...]:
    """Return the candidate's points in the pairs that count, in the order of their numbers."""
    ordered = sorted(blocks, key=lambda block: block.number)
    values = tuple(points(setup, block)[0] for block in ordered if block.counts)
    if not values:
        raise ValueError(f"no pair counts: {next(game.void for game in ordered[0].games if game.void)}")
    return values


def _rounded(value: float, weight: Weight) -> float:
    """Round to a few digits, so that the played and the printed weights are the same."""
    return min(max(float(f"{value:.{_DIGITS}g}"), weight.minimum), weight.maximum)


def _with_weights(setup: Setup, weights: Mapping[str, float], seed: int) -> Setup:
    candidate, *others = setup.entrants
    text = ",".join([candidate.player, *(f"weight.{name}={value!r}" for name, value in weights.items())])
    entrants = (msgspec.structs.replace(candidate, player=text), *others)
    return msgspec.structs.replace(setup, entrants=entrants, seed=setup.seed + seed)


def _open(task: Task, storage: RDBStorage | None, file: Path | None) -> tuple[optuna.Study, Task]:
    """Return the study, and its task with the stored nonce. Raises ValueError if it has another task."""
    study = optuna.create_study(storage=storage, study_name=_STUDY, direction="maximize", load_if_exists=True)
    now, was = _fields(task), study.user_attrs.get("task")
    if was is None:
        study.set_user_attr("task", now)
        return study, task
    for name, value in now.items():
        if name != "nonce" and was.get(name) != value:
            old, new = (msgspec.json.encode(each).decode() for each in (was.get(name), value))
            raise ValueError(f"{file} holds another study: its {name} is {old}, not {new}")
    setup = msgspec.structs.replace(task.setup, nonce=was.get("nonce", ""))
    return study, msgspec.structs.replace(task, setup=setup)


def _fields(task: Task) -> Json:
    """Return the fields of the task and of its setup as JSON values, so that an error can name one."""
    fields = msgspec.json.decode(msgspec.json.encode(task))
    return {**fields.pop("setup"), **fields}


def _storage(file: Path) -> RDBStorage:
    try:
        return RDBStorage(f"sqlite:///{file}")
    except (SQLAlchemyError, RuntimeError) as error:
        raise ValueError(f"{file} can't be used as a study: {str(error).splitlines()[0]}") from None


class TuningProgress(StepProgress):
    """Shows the progress of a tuning: trials, then finals, which count as trials too."""

    def __init__(self, trials: int, finals: int) -> None:
        super().__init__("trial", trials + finals)

    def trial_ended(self, trials: Sequence[Trial], finals: Sequence[Trial]) -> None:
        """Show the best trial and, if there is no bar, also the last trial."""
        if ended := finals or trials:
            best = max(ended, key=lambda trial: trial.mean)
            self.steps_ended(len(trials) + len(finals), f"best {_result(best)}")
            if not self._console.is_interactive:
                self._print(f"{'final' if finals else 'trial'} {len(ended)}: {_result(ended[-1])}")


def _result(trial: Trial) -> str:
    return f"{trial.mean:.3f} of the points in {len(trial.points)} pairs, {weights_text(trial.weights)}"


def weights_text(weights: Mapping[str, float]) -> str:
    """Return weights in one line."""
    return ", ".join(f"{name} {value:g}" for name, value in weights.items())
