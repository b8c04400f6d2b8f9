"""The benchmark of the likely-move model: its fit, and the command on a recorded match."""

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from arena.commands.match import match
from benchmarks.likely_moves import Choices, main


def choices(weights: list[float], count: int, seed: int) -> Choices:
    """Return choices among three moves, drawn with the probabilities that the weights give."""
    random = np.random.default_rng(seed)
    features = random.integers(-1, 2, size=(count, 4, len(weights))).astype(float)
    exist = np.tile([True, True, True, False], (count, 1))
    noise = random.gumbel(size=(count, 4))
    points = Choices(features, exist, np.zeros(count, dtype=np.int64)).points(np.array(weights))
    return Choices(features, exist, (points + noise).argmax(axis=1))


def play(file: Path, *options: str) -> None:
    """Record a match of two entrants."""
    short = ["--size", "7", "--nodes", "10", "--output", str(file)]
    played = CliRunner().invoke(match, ["paranoid/length", "brs/length", *options, *short])
    assert played.exit_code == 0, played.output


def test_the_fit_finds_the_weights_that_made_the_choices() -> None:
    """Weights from which choices were drawn are found again, within the error of their number."""
    weights = [1.5, -0.8, 0.0]
    assert choices(weights, 4000, seed=1).fitted() == pytest.approx(weights, abs=0.15)


def test_fitted_weights_predict_choices_that_they_have_not_seen() -> None:
    """They predict more than chance, and more than weights of the opposite sign."""
    fit, check = choices([2.0, -1.0], 1000, seed=1), choices([2.0, -1.0], 1000, seed=2)
    fitted = fit.fitted()
    assert check.chance() == pytest.approx(1 / 3)
    assert check.predicted(-fitted) < check.chance() < check.predicted(fitted)


def test_a_match_is_judged(tmp_path: Path) -> None:
    """The command compares the model with chance and with fitted points, and prints each feature's points."""
    file = tmp_path / "match.jsonl"
    play(file, "--snakes", "4", "--games", "4", "--max-turns", "60")
    done = CliRunner().invoke(main, [str(file)])
    assert done.exit_code == 0, done.output
    assert re.search(r"^\d+ moves to fit, \d+ to check$", done.output, re.MULTILINE)
    shares = r"^predicted by chance 0\.\d+, by the model 0\.\d+, by fitted points 0\.\d+$"
    assert re.search(shares, done.output, re.MULTILINE)
    assert re.search(r"^food +\+3 +\+3\.0$", done.output, re.MULTILINE)


def test_a_match_without_crowds_is_refused(tmp_path: Path) -> None:
    """Duels have no position that counts, and the message says so."""
    file = tmp_path / "match.jsonl"
    play(file, "--games", "2", "--max-turns", "5")
    done = CliRunner().invoke(main, [str(file)])
    assert done.exit_code == 1 and "no game with 3 living snakes" in done.output
