"""Tuning: which weights of an evaluator win the most points against an opponent.

A trial plays a candidate's pairs and is worth its mean points. The first one plays the defaults, the others
what the tree-structured Parzen estimator proposes after all trials before (Bergstra, Bardenet, Bengio and
Kégl, "Algorithms for Hyper-Parameter Optimization", 2011). The best of many noisy values owes much to luck:
so the best few trials play again, on starts that no trial has seen, and are judged by that alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Protocol

import msgspec
import optuna
from optuna.distributions import FloatDistribution
from optuna.samplers import TPESampler
from optuna.storages import RDBStorage
from optuna.trial import FrozenTrial, create_trial
from sqlalchemy.exc import SQLAlchemyError

from arena.matches.scoring import points
from arena.matches.workers import Workers
from arena.records.model import Block, Setup
from searcher.interface import Weight

optuna.logging.set_verbosity(optuna.logging.WARNING)

_STUDY = "tuning"
_FINALS_SEED = 1_000_003
"""Added to the setup's seed for the finals' starts."""
_DIGITS = 4
"""Significant digits of weights that are proposed."""


class Task(msgspec.Struct, frozen=True):
    """All that the trials depend on."""

    setup: Setup
    """The candidate is its first entrant, whose weights the trials add."""
    weights: tuple[Weight, ...]
    """Those to tune."""
    pairs: int
    """To play in a trial: blocks of the match that the setup describes."""
    final_pairs: int
    """To play in a final."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Weights that were tried, and the candidate's points in each pair that counts."""

    weights: Mapping[str, float]
    points: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Points, from 0 to 1."""
        return fmean(self.points)


class TuningObserver(Protocol):
    """Sees a tuning go on."""

    def pair_ended(self, ended: int, pairs: int) -> None:
        """How many of the pairs of this trial have ended."""

    def trial_ended(self, trials: Sequence[Trial], finals: Sequence[Trial]) -> None:
        """All that have ended until now."""


class Tuning:
    """A study, and how to go on with it."""

    def __init__(self, task: Task, file: Path | None, workers: Workers, observer: TuningObserver) -> None:
        """Opens the study in the file, or a new one. Raises ValueError if the file holds another, or none."""
        self._task = task
        self._space = {
            weight.name: FloatDistribution(weight.minimum, weight.maximum) for weight in task.weights
        }
        self._storage = None if file is None else _storage(file)
        self._study = _open(task, self._storage, file)
        self._workers = workers
        self._observer = observer

    def run(self, trials: int, finalists: int) -> Trial:
        """Plays what the study does not have yet, and returns the best of the finals.

        What the observer is told of is in the file. Raises WorkersLostError; ValueError when no pair of a
        trial counts.
        """
        self._tell()
        for number in range(len(self.trials()), trials):
            self._play(number, self._proposal(number), final=False)
        tried = self.trials()[:trials]
        best = sorted(range(trials), key=lambda number: tried[number].mean, reverse=True)[:finalists]
        for number in best:
            if number not in self.finals():
                self._play(number, tried[number].weights, final=True)
        return max((self.finals()[number] for number in best), key=lambda final: final.mean)

    def close(self) -> None:
        """Lets go of the file."""
        if self._storage is not None:
            self._storage.remove_session()
            self._storage.engine.dispose()

    def trials(self) -> list[Trial]:
        """Those that have ended, without finals."""
        return [_trial(frozen) for frozen in self._study.trials if "final_of" not in frozen.user_attrs]

    def finals(self) -> dict[int, Trial]:
        """Those that have ended, by the number of the trial that was played again."""
        finals = (frozen for frozen in self._study.trials if "final_of" in frozen.user_attrs)
        return {frozen.user_attrs["final_of"]: _trial(frozen) for frozen in finals}

    def _proposal(self, number: int) -> Mapping[str, float]:
        """The weights of a trial: they depend on nothing but the trials before and the seed.

        Asked for in a study of its own, so that a kill leaves no trial in the file that was only begun.
        """
        if not number:
            return {weight.name: weight.default for weight in self._task.weights}
        sampler = TPESampler(seed=self._task.setup.seed + number, multivariate=True)
        study = optuna.create_study(direction="maximize", sampler=sampler)
        study.add_trials([self._frozen(trial, {}) for trial in self.trials()])
        proposed = study.ask(dict(self._space)).params
        return {weight.name: _rounded(proposed[weight.name], weight) for weight in self._task.weights}

    def _play(self, number: int, weights: Mapping[str, float], final: bool) -> None:
        """Plays a trial, or its final, on starts that no other one has, and keeps what came of it."""
        pairs = self._task.final_pairs if final else self._task.pairs
        setup = _with_weights(self._task.setup, weights, _FINALS_SEED if final else 0)
        blocks = []
        numbers = range(number * pairs, (number + 1) * pairs)
        with closing(self._workers.play(setup, None, numbers)) as played:
            for block in played:
                blocks.append(block)
                self._observer.pair_ended(len(blocks), pairs)
        trial = Trial(weights, _values(setup, blocks))
        attributes: dict[str, Any] = {"points": list(trial.points)}
        self._study.add_trial(self._frozen(trial, attributes | ({"final_of": number} if final else {})))
        self._tell()

    def _tell(self) -> None:
        self._observer.trial_ended(self.trials(), list(self.finals().values()))

    def _frozen(self, trial: Trial, attributes: dict[str, Any]) -> FrozenTrial:
        return create_trial(
            params=dict(trial.weights),
            distributions=dict(self._space),
            value=trial.mean,
            user_attrs=attributes,
        )


def _trial(frozen: FrozenTrial) -> Trial:
    return Trial(frozen.params, tuple(frozen.user_attrs["points"]))


def _values(setup: Setup, blocks: Iterable[Block]) -> tuple[float, ...]:
    """The candidate's points in the pairs that count, in the order of their numbers."""
    ordered = sorted(blocks, key=lambda block: block.number)
    values = tuple(points(setup, block)[0] for block in ordered if block.counts)
    if not values:
        raise ValueError(f"no pair counts: {next(game.void for game in ordered[0].games if game.void)}")
    return values


def _rounded(value: float, weight: Weight) -> float:
    """Few digits, so that what is played is what people read."""
    return min(max(float(f"{value:.{_DIGITS}g}"), weight.minimum), weight.maximum)


def _with_weights(setup: Setup, weights: Mapping[str, float], seed: int) -> Setup:
    candidate, *others = setup.entrants
    text = ",".join([candidate.player, *(f"weight.{name}={value!r}" for name, value in weights.items())])
    entrants = (msgspec.structs.replace(candidate, player=text), *others)
    return msgspec.structs.replace(setup, entrants=entrants, seed=setup.seed + seed)


def _open(task: Task, storage: RDBStorage | None, file: Path | None) -> optuna.Study:
    """The task's study. Raises ValueError if what is stored belongs to another task."""
    study = optuna.create_study(storage=storage, study_name=_STUDY, direction="maximize", load_if_exists=True)
    now, was = _fields(task), study.user_attrs.get("task")
    if was is None:
        study.set_user_attr("task", now)
        return study
    for name, value in now.items():
        if was.get(name) != value:
            old, new = (msgspec.json.encode(each).decode() for each in (was.get(name), value))
            raise ValueError(f"the study in {file} is another one: its {name} is {old}, not {new}")
    return study


def _fields(task: Task) -> dict[str, Any]:
    """As JSON, those of the setup beside the task's own, so that a difference is told by its name."""
    fields = msgspec.json.decode(msgspec.json.encode(task))
    return {**fields.pop("setup"), **fields}


def _storage(file: Path) -> RDBStorage:
    try:
        return RDBStorage(f"sqlite:///{file}")
    except (SQLAlchemyError, RuntimeError) as error:
        raise ValueError(f"{file} can't be used as a study: {str(error).splitlines()[0]}") from None
