"""Workers on a Ray cluster. Its machines must have the same code. Needs the extra `ray`."""

import hashlib
import logging
import socket
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import ray
from ray.exceptions import RayError, RayTaskError

import arena
import searcher
from arena.games.entrants import evaluators_of
from arena.matches.workers import WorkersLostError, play_block
from arena.records import Block, Setup
from battlesnake_search import contract
from searcher.engine.jit.code_cache import digest_of_sources
from searcher.strategies import evaluators

if TYPE_CHECKING:
    from battlesnake_search.channels import CredentialFiles

_Match = tuple[Setup, str, "CredentialFiles | None"]

_RETRIES = 5
"""How many times a block is played again when its worker dies."""

_LOOK_AGAIN = 1.0
"""Seconds after which to look for cores of machines that have joined."""

_SILENCE = 30.0
"""Seconds without an answer of the cluster's head after which the match ends. After 60 s Ray would end the
process."""


class RayWorkers:
    """Tasks on a cluster whose machines have the same version of the project as this machine.

    Each machine reads the files of `credentials`, for gRPC targets, at the same paths.
    """

    def __init__(self, address: str, most: int | None, credentials: "CredentialFiles | None" = None) -> None:
        """Connect, and use `most` cores, by default all cores of the cluster.

        Raises ConnectionError if there is no cluster, or if it has another version of Ray or Python.
        """
        _check_answers(address)
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except RuntimeError as error:
            raise ConnectionError(_line(error)) from None
        self._most = most
        self._credentials = credentials

    def play(self, setup: Setup, numbers: Sequence[int]) -> Generator[Block]:
        """Yield blocks as they end, as arena.matches.workers.Workers requires.

        Raises ValueError if a machine can't play, or has another version than this machine.
        """
        # One task for each core, since searches take nearly all of the time.
        task = ray.remote(num_cpus=1, max_retries=_RETRIES)(_play_same_block)
        match = ray.put((setup, version_of(setup), self._credentials))
        try:
            yield from self._play(lambda number: task.remote(match, number), numbers)
        except RayTaskError as error:
            raise ValueError(_line(error.cause)) from None
        except RayError as error:
            raise WorkersLostError(_line(error)) from None

    def _play(
        self, start: "Callable[[int], ray.ObjectRef[Block]]", numbers: Sequence[int]
    ) -> Generator[Block]:
        """Start a task for each number, and yield their results."""
        waiting, cores = list(reversed(numbers)), _Cores()
        running: list[ray.ObjectRef[Block]] = []
        try:
            while waiting or running:
                room = (self._most or cores.number) - len(running)
                running += [start(waiting.pop()) for _ in range(min(room, len(waiting)))]
                done, running = ray.wait(running, timeout=_LOOK_AGAIN)
                yield from ray.get(done)
                cores.check()
        finally:
            cores.close()
            # The cluster may be gone.
            with suppress(RayError):
                for reference in running:
                    ray.cancel(reference, force=True)


class _Cores:
    """The cores of the cluster, whose machines may join and leave.

    A separate thread asks the head, because a call to a lost head would block until Ray ends the process.
    """

    def __init__(self) -> None:
        self.number = _cores()
        """The latest number from the head."""
        self._answered = time.monotonic()
        self._closed = threading.Event()
        threading.Thread(target=self._ask, daemon=True).start()

    def check(self) -> None:
        """Raise WorkersLostError if the head has not answered for a while."""
        if time.monotonic() - self._answered > _SILENCE:
            raise WorkersLostError("the head of the Ray cluster does not answer")

    def close(self) -> None:
        """End the calls of the head."""
        self._closed.set()

    def _ask(self) -> None:
        # Without a connection there is no answer.
        with suppress(RayError):
            while not self._closed.wait(_LOOK_AGAIN):
                self.number = _cores()
                self._answered = time.monotonic()


def _play_same_block(match: _Match, number: int) -> Block:
    """Play a block by the same code as on the machine where the match began.

    Raises ValueError that names this machine, and both versions or the reason why it can't play.
    """
    setup, version, credentials = match
    place = ray.util.get_node_ip_address()
    check_version(setup, version, place)
    try:
        return play_block(setup, number, credentials)
    except Exception as error:
        raise ValueError(f"{place} can't play: {type(error).__name__}: {error}") from error


def _check_answers(address: str) -> None:
    """Raise ConnectionError if no program listens at a head's address, because Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    if not port.isdecimal() or "://" in host:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except OSError as error:
        raise ConnectionError(
            f"no Ray cluster can be reached at {address}: {error.strerror or error}"
        ) from None


def _cores() -> int:
    """Return the cluster's current number of cores, at least 1, so that a task waits for a first machine."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _line(error: BaseException) -> str:
    """Return the message of an error, in one line."""
    return " ".join(str(error).split())


def version_of(setup: Setup) -> str:
    """Return the versions of the project and of the evaluators that play.

    Machines with the same code have the same version, wherever the code is installed.
    """
    found = evaluators()
    digests = [
        f"the evaluator {name} {found[name].code_digest if name in found else 'none'}"
        for name in evaluators_of(setup.entrants)
    ]
    return ", ".join([f"battlesnake-search {_project()}", *digests])


def check_version(setup: Setup, expected: str, place: str) -> None:
    """Raise ValueError, with both versions, unless this process has the `expected` version.

    `place` names this machine.
    """
    if (ours := version_of(setup)) != expected:
        raise ValueError(
            f"{place} has {ours}, but this match began with {expected}: install the same on all machines"
        )


@cache
def _project() -> str:
    """Return the version of this project, with a digest of its sources, which may have local changes."""
    folders = [Path(str(package.__file__)).parent for package in (arena, contract, searcher)]
    digest = hashlib.sha256("".join(map(digest_of_sources, folders)).encode()).hexdigest()[:8]
    return f"{metadata.version('battlesnake-search')} (sources {digest})"
