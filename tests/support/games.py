"""A whole game by the official engine, and a report from its log and its record."""

import json
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from battlesnake_search.board import Turn
from tests.support.deaths import needless_deaths

LONGEST_GAME = 1800.0
"""Seconds after which a game counts as hung."""


class GameFailedError(RuntimeError):
    """The engine failed; holds its exit code and the end of its log."""


@dataclass(frozen=True, slots=True)
class GameSetup:
    """The engine's options for a game, named as on its command line.

    On the royale map hazards close in from all sides under every ruleset, so every game ends.
    """

    ruleset: str
    map: str = "standard"
    width: int = 11
    height: int = 11
    timeout: int = 500
    """Milliseconds for a response."""
    seed: int = 1
    hazard_damage: int = 14
    shrink_every: int = 25

    def options(self) -> list[str]:
        """Return the options for the engine's command line."""
        values = {
            "gametype": self.ruleset,
            "map": self.map,
            "width": self.width,
            "height": self.height,
            "timeout": self.timeout,
            "seed": self.seed,
            "hazardDamagePerTurn": self.hazard_damage,
            "shrinkEveryNTurns": self.shrink_every,
        }
        return [f"--{name}={value}" for name, value in values.items()]


@dataclass(frozen=True, slots=True)
class GameReport:
    """The course of a game. `latencies` holds the milliseconds of every response, measured by the engine."""

    turns: int
    ending: str
    """The engine's last line: the winner, a draw, or the end of a solo game."""
    warnings: tuple[str, ...]
    """The entries above INFO in the engine's log, with their reasons: a late, failed or invalid response."""
    latencies: tuple[int, ...]
    timeout: int
    needless_deaths: tuple[str, ...]
    """The snakes that left the board or hit themselves although a neighbouring cell was safe."""

    @property
    def late(self) -> int:
        """The number of responses that took longer than the timeout."""
        return sum(latency >= self.timeout for latency in self.latencies)


# msgspec reads the annotations of a type at its first use. Two threads that did so at once ended the process.
_FRAMES = msgspec.json.Decoder(Turn)


def run_game(engine: Path, urls: Sequence[str], setup: GameSetup) -> GameReport:
    """Play one game between the snakes at `urls`, which may contain a URL more than once.

    Raises GameFailedError if the engine fails, and subprocess.TimeoutExpired after LONGEST_GAME.
    """
    snakes = [f"--{key}={value}" for i, url in enumerate(urls) for key, value in (("name", i), ("url", url))]
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "game.jsonl"
        command = [str(engine), "play", "--verbose", f"--output={record}", *snakes, *setup.options()]
        game = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_GAME)
        if game.returncode != 0:
            raise GameFailedError(game.returncode, game.stderr[-2000:])
        return _report(setup, _read_frames(record), re.split(r"\n(?=[A-Z]+ \d)", game.stderr.strip()))


def _read_frames(record: Path) -> list[Turn]:
    first, *frames, last = record.read_bytes().splitlines()
    is_complete = "ruleset" in json.loads(first) and "isDraw" in json.loads(last)
    assert is_complete, "the record of the game is incomplete"
    return [_FRAMES.decode(frame) for frame in frames]


def _report(setup: GameSetup, frames: list[Turn], log: list[str]) -> GameReport:
    ending = next(entry for entry in log if "Game completed after" in entry)
    turns = re.search(r"after (\d+) turns", ending)
    assert turns, ending
    ends = [entry.partition("/end: ")[2] for entry in log if entry.startswith("DEBUG") and "/end: " in entry]
    return GameReport(
        turns=int(turns[1]),
        ending=ending.partition("turns. ")[2],
        warnings=tuple(entry for entry in log if not entry.startswith(("INFO", "DEBUG"))),
        latencies=tuple(int(snake.milliseconds) for frame in frames[1:] for snake in frame.board.snakes),
        timeout=setup.timeout,
        needless_deaths=needless_deaths(frames, [_FRAMES.decode(end) for end in ends]),
    )
