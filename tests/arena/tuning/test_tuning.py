"""A tuning tries weights within their bounds, finds good ones, and goes on where it was killed."""

from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.games.openings import Book
from arena.records.model import Block, Death, Game, Setup, Start, Turn
from arena.tuning.tuning import Task, Trial, Tuning
from searcher.interface import Weight
from tests.arena.setups import setup_of

SPACE = Weight("area", 2.0, 0.0, 4.0, "of space")
HUNGER = Weight("hunger", 0.5, 0.25, 1.0, "of hunger")
TASK = Task(setup_of("paranoid/area,name=candidate", "paranoid/area"), (SPACE, HUNGER), 4, 6)
START = Start(0, (((1, 1),), ((5, 5),)), (100, 100), ())


class Paper:
    """Workers that play on paper: the nearer the weight `area` is to 1, the more pairs are won."""

    def __init__(self, until: int | None = None) -> None:
        self.until = until
        self.played: list[tuple[int, int]] = []

    def play(self, setup: Setup, book: Book | None, numbers: Sequence[int]) -> Generator[Block]:
        """As arena.matches.workers.Workers say; broken off when so many blocks are played."""
        area = float(dict(part.split("=") for part in setup.entrants[0].player.split(",")[1:])["weight.area"])
        for index, number in enumerate(reversed(numbers)):
            if len(self.played) == self.until:
                raise KeyboardInterrupt
            self.played.append((setup.seed, number))
            won = index + 1 <= len(numbers) * (1 - abs(area - 1) / 3)
            yield Block(number, tuple(game(seats, won) for seats in ((0, 1), (1, 0))), 1.0)


def game(seats: tuple[int, int], won: bool, void: str | None = None) -> Game:
    """A game that the candidate, the entrant 0, won or lost."""
    deaths = tuple(Death(9, "wall-collision") if (seat == 0) != won else None for seat in seats)
    return Game(seats, START, (Turn((None, None)),), deaths, "one left", void)


class Notes:
    """A watcher that takes notes."""

    def __init__(self) -> None:
        self.pairs: list[tuple[int, int]] = []
        self.ended: list[tuple[int, int]] = []

    def pair_ended(self, ended: int, pairs: int) -> None:
        """As arena.tuning.tuning.TuningObserver says."""
        self.pairs.append((ended, pairs))

    def trial_ended(self, trials: Sequence[Trial], finals: Sequence[Trial]) -> None:
        """As arena.tuning.tuning.TuningObserver says."""
        self.ended.append((len(trials), len(finals)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a study may be."""
    return tmp_path / "study.db"


def outcome(
    trials: int, file: Path | None = None, workers: Paper | None = None, task: Task = TASK, finalists: int = 2
) -> tuple[Trial, list[Trial]]:
    """The best trial of a tuning, and all of its trials."""
    workers = workers or Paper()
    with closing(Tuning(task, file, workers, Notes())) as tuning:
        return tuning.run(trials, finalists), tuning.trials()


def test_the_defaults_are_tried_first() -> None:
    """So the best of all is known to be no worse than they are."""
    _, trials = outcome(3)
    assert trials[0].weights == {"area": 2.0, "hunger": 0.5}
    assert len({tuple(trial.weights.values()) for trial in trials}) == 3


def test_weights_stay_within_their_bounds() -> None:
    """Those of every trial do."""
    _, trials = outcome(25)
    assert all(SPACE.minimum <= trial.weights["area"] <= SPACE.maximum for trial in trials)
    assert all(HUNGER.minimum <= trial.weights["hunger"] <= HUNGER.maximum for trial in trials)


def test_it_finds_what_wins() -> None:
    """Better weights than the defaults, near those that win all pairs."""
    best, trials = outcome(30)
    assert best.mean > trials[0].mean
    assert abs(best.weights["area"] - 1) < 0.6


def test_a_trial_is_worth_its_mean_points() -> None:
    """Two thirds of the way off, a third of the points; the finals have pairs of their own number."""
    best, trials = outcome(1)
    assert trials[0].points == (0.0, 0.0, 1.0, 1.0)
    assert trials[0].mean == 0.5
    assert len(best.points) == 6


def test_no_start_is_played_twice() -> None:
    """Neither by two trials nor by a final, whose weights were chosen by other starts."""
    workers = Paper()
    outcome(5, workers=workers)
    assert len(workers.played) == len(set(workers.played)) == 5 * 4 + 2 * 6


def test_the_same_seed_repeats() -> None:
    """All trials are the same; with another seed they are others."""
    assert outcome(15) == outcome(15)
    other = msgspec.structs.replace(TASK, setup=msgspec.structs.replace(TASK.setup, seed=2))
    assert outcome(15)[1][1:] != outcome(15, task=other)[1][1:]


@pytest.mark.parametrize("until", [0, 18, 30])
def test_a_killed_tuning_goes_on(file: Path, until: int) -> None:
    """Wherever it was broken off, the trials and the best are those of one that was not; none is lost."""
    with pytest.raises(KeyboardInterrupt):
        outcome(6, file, Paper(until))
    workers = Paper()
    assert outcome(6, file, workers) == outcome(6)
    assert len(workers.played) <= 6 * 4 + 2 * 6 - until + 5


def test_a_finished_tuning_plays_no_more(file: Path) -> None:
    """Its result is in the file."""
    first, idle = outcome(6, file), Paper(0)
    assert outcome(6, file, idle) == first


def test_more_trials_can_be_asked_for(file: Path) -> None:
    """Those of the file count."""
    outcome(4, file)
    workers = Paper()
    _, trials = outcome(7, file, workers, finalists=1)
    assert len(trials) == 7
    assert len(workers.played) in (3 * 4, 3 * 4 + 6)


def test_another_task_is_refused(file: Path) -> None:
    """The complaint names what is different, also inside the setup."""
    outcome(1, file)
    with pytest.raises(ValueError, match=r"study\.db holds another study: its pairs is 4, not 5"):
        outcome(1, file, task=msgspec.structs.replace(TASK, pairs=5))
    other = msgspec.structs.replace(TASK, setup=msgspec.structs.replace(TASK.setup, seed=3))
    with pytest.raises(ValueError, match="its seed is 1, not 3"):
        outcome(1, file, task=other)
    bounds = msgspec.structs.replace(TASK, weights=(SPACE,))
    with pytest.raises(ValueError, match="its weights is "):
        outcome(1, file, task=bounds)


def test_another_file_is_refused(file: Path) -> None:
    """A file that is no study stays as it is."""
    file.write_text("my thesis " * 100)
    with pytest.raises(ValueError, match=r"study\.db can't be used as a study: .*not a database"):
        outcome(1, file)
    assert file.read_text() == "my thesis " * 100


def test_progress_is_told() -> None:
    """Pair by pair and trial by trial, from what there is at the start."""
    notes = Notes()
    Tuning(TASK, None, Paper(), notes).run(2, 1)
    assert notes.ended == [(0, 0), (1, 0), (2, 0), (2, 1)]
    assert notes.pairs == [
        *((pair, 4) for pair in (1, 2, 3, 4)),
        *((pair, 4) for pair in (1, 2, 3, 4)),
        *((pair, 6) for pair in range(1, 7)),
    ]


class Void(Paper):
    """Workers whose games don't count, save some."""

    def __init__(self, count: set[int]) -> None:
        super().__init__()
        self._count = count

    def play(self, setup: Setup, book: Book | None, numbers: Sequence[int]) -> Generator[Block]:
        """As arena.matches.workers.Workers say."""
        for number in numbers:
            void = None if number in self._count else "nobody answered"
            yield Block(number, tuple(game(seats, True, void) for seats in ((0, 1), (1, 0))), 1.0)


def test_void_pairs_do_not_count() -> None:
    """The mean is that of the others; when there are none it can't go on."""
    best, trials = outcome(1, workers=Void({0, 3, 5}))
    assert (len(trials[0].points), len(best.points)) == (2, 3)
    with pytest.raises(ValueError, match="no pair counts: nobody answered"):
        outcome(1, workers=Void(set()))
