"""Plays the games of a folder of data, and continues where it ended."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec

from arena.data.parts import BadDataError, count_rows
from arena.data.playing import DataSetup, part_path, play_part
from arena.matches.workers import LocalWorkers

_SETUP = "setup.json"

OnPart = Callable[[int, int], None]
"""Receives how many parts are done, and how many positions they have."""


def play_data(setup: DataSetup, parts: int, folder: Path, workers: LocalWorkers, on_part: OnPart) -> None:
    """Play those of this number of parts that the folder does not have.

    Raises BadDataError if it has games of another setup, OSError if it can't be written, and WorkersLostError
    if no worker can play.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder, setup)
    there = [number for number in range(parts) if part_path(folder, number).exists()]
    done, positions = len(there), sum(count_rows(part_path(folder, number)) for number in there)
    on_part(done, positions)
    missing = sorted(set(range(parts)) - set(there))
    play = partial(play_part, setup, folder, credentials=workers.credentials)
    for played in workers.run(play, missing):
        done, positions = done + 1, positions + played
        on_part(done, positions)


def _claim(folder: Path, setup: DataSetup) -> None:
    """Write the setup into the folder, or compare it with that of the games there. Raises BadDataError."""
    path = folder / _SETUP
    if not path.exists():
        path.write_bytes(msgspec.json.format(msgspec.json.encode(setup)))
        return
    try:
        former = msgspec.json.decode(path.read_bytes(), type=DataSetup)
    except msgspec.DecodeError as error:
        raise BadDataError(f"{path} is not the setup of games: {error}") from None
    names = [name for name in setup.__struct_fields__ if getattr(setup, name) != getattr(former, name)]
    if names:
        raise BadDataError(f"{folder} has games with other {', '.join(names)}: choose another folder")
