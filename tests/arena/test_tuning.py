"""A tuning tries weights within their bounds, finds good ones, and continues after a kill."""

from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.records import Block, Game, RecordedDeath, Setup, Start, Turn
from arena.tuning import Task, Trial, Tuning
from searcher.toolkit import Weight
from tests.arena.setups import setup_of

SPACE = Weight("area", 2.0, 0.0, 4.0, "of space")
HUNGER = Weight("hunger", 0.5, 0.25, 1.0, "of hunger")
TASK = Task(setup_of("paranoid/area,name=candidate", "paranoid/area"), (SPACE, HUNGER), 4, 6)
START = Start(0, (((1, 1),), ((5, 5),)), (100, 100), ())


class Paper:
    """Workers without games: the nearer the weight `area` is to 1, the more pairs are won."""

    def __init__(self, until: int | None = None) -> None:
        self.until = until
        self.played: list[tuple[int, int]] = []

    def play(self, setup: Setup, numbers: Sequence[int]) -> Generator[Block]:
        """Yield blocks, as arena.matches.workers.Workers requires, until this number of them is played."""
        area = float(dict(part.split("=") for part in setup.entrants[0].player.split(",")[1:])["weight.area"])
        for index, number in enumerate(reversed(numbers)):
            if len(self.played) == self.until:
                raise KeyboardInterrupt
            self.played.append((setup.seed, number))
            won = index + 1 <= len(numbers) * (1 - abs(area - 1) / 3)
            yield Block(number, tuple(game(seats, won) for seats in ((0, 1), (1, 0))), 1.0)


def game(seats: tuple[int, int], won: bool, void: str | None = None) -> Game:
    """A game that the candidate, the entrant 0, won or lost."""
    deaths = tuple(RecordedDeath(9, "wall-collision") if (seat == 0) != won else None for seat in seats)
    return Game(seats, START, (Turn((None, None)),), deaths, "one left", void)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of a study."""
    return tmp_path / "study.db"


def outcome(
    trials: int, file: Path | None = None, workers: Paper | None = None, task: Task = TASK, finalists: int = 2
) -> tuple[Trial, list[Trial]]:
    """The best trial of a tuning, and all of its trials."""
    workers = workers or Paper()
    with closing(Tuning(task, file, workers, lambda *_: None)) as tuning:
        return tuning.run(trials, finalists), tuning.trials()


def test_the_defaults_are_tried_first() -> None:
    """The defaults are tried first, so the best of all trials is no worse."""
    _, trials = outcome(3)
    assert trials[0].weights == {"area": 2.0, "hunger": 0.5}
    assert len({tuple(trial.weights.values()) for trial in trials}) == 3


def test_no_start_is_played_twice() -> None:
    """Neither two trials nor a final share a start."""
    workers = Paper()
    outcome(5, workers=workers)
    assert len(workers.played) == len(set(workers.played)) == 5 * 4 + 2 * 6


@pytest.mark.parametrize("until", [0, 18, 30])
def test_a_killed_tuning_continues(file: Path, until: int) -> None:
    """Wherever a tuning is killed, it continues to the trials and the best of an uninterrupted one."""
    with pytest.raises(KeyboardInterrupt):
        outcome(6, file, Paper(until))
    workers = Paper()
    assert outcome(6, file, workers) == outcome(6)
    assert len(workers.played) <= 6 * 4 + 2 * 6 - until + 5


def test_another_task_is_rejected(file: Path) -> None:
    """The error names the difference, also inside the setup."""
    outcome(1, file)
    with pytest.raises(ValueError, match=r"study\.db holds another study: its pairs is 4, not 5"):
        outcome(1, file, task=msgspec.structs.replace(TASK, pairs=5))
    other = msgspec.structs.replace(TASK, setup=msgspec.structs.replace(TASK.setup, seed=3))
    with pytest.raises(ValueError, match="its seed is 1, not 3"):
        outcome(1, file, task=other)
    bounds = msgspec.structs.replace(TASK, weights=(SPACE,))
    with pytest.raises(ValueError, match="its weights is "):
        outcome(1, file, task=bounds)


def test_another_file_is_rejected(file: Path) -> None:
    """A file that is not a study stays as it is."""
    file.write_text("my thesis " * 100)
    with pytest.raises(ValueError, match=r"study\.db can't be used as a study: .*not a database"):
        outcome(1, file)
    assert file.read_text() == "my thesis " * 100


class Void(Paper):
    """Workers whose games are void, with exceptions."""

    def __init__(self, count: set[int]) -> None:
        super().__init__()
        self._count = count

    def play(self, setup: Setup, numbers: Sequence[int]) -> Generator[Block]:
        """Yield blocks, as arena.matches.workers.Workers requires."""
        for number in numbers:
            void = None if number in self._count else "nobody answered"
            yield Block(number, tuple(game(seats, True, void) for seats in ((0, 1), (1, 0))), 1.0)


def test_void_pairs_do_not_count() -> None:
    """Void pairs are left out of the mean; if there are no others, the tuning fails."""
    best, trials = outcome(1, workers=Void({0, 3, 5}))
    assert (len(trials[0].points), len(best.points)) == (2, 3)
    with pytest.raises(ValueError, match="no pair counts: nobody answered"):
        outcome(1, workers=Void(set()))


def test_a_continued_tuning_keeps_its_nonce(file: Path) -> None:
    """Trials against a URL have ids of the same tuning, although the task has a new random part."""
    nonces = []

    class Listening(Paper):
        def play(self, setup: Setup, numbers: Sequence[int]) -> Generator[Block]:
            nonces.append(setup.nonce)
            return super().play(setup, numbers)

    for trials, nonce in ((1, "was"), (2, "now")):
        setup = msgspec.structs.replace(TASK.setup, nonce=nonce)
        outcome(trials, file, Listening(), task=msgspec.structs.replace(TASK, setup=setup))
    assert len(nonces) > 1
    assert set(nonces) == {"was"}
