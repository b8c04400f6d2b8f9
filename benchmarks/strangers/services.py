"""A gateway and its searcher beside a stranger, as users start them, and what they hold."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
import yaml

from battlesnake_search.common.access import new_token
from benchmarks.cold_start import environment, memory_of, running, until
from benchmarks.strangers.plan import Plan
from tests.support.http import answer_of
from tests.support.processes import family, module, resident_megabytes
from tests.support.services import ROOT, free_port, port_before_a_free_one

GATEWAY, SEARCHER = "gateway", "searcher"

_SAMPLES = 0.05
"""Seconds between two samples of the resident memory."""

_CEILING = 1500.0
"""Megabytes at which a process is killed, so that it can't fill the machine."""

_PATIENCE = 30.0
"""Seconds after SIGTERM until a process is killed."""

_SERVING = "serving on"

_UNITS = {"Mi": 2**20, "Gi": 2**30}
"""The units of memory in the manifests."""


def limits() -> dict[str, float]:
    """Return the limit of the memory of each service in megabytes, from the manifests."""
    found = {}
    for name in (GATEWAY, SEARCHER):
        text = (ROOT / "infra" / "kubernetes" / "base" / name / "deployment.yaml").read_text()
        [container] = yaml.safe_load(text)["spec"]["template"]["spec"]["containers"]
        quantity = container["resources"]["limits"]["memory"]
        found[name] = int(quantity[:-2]) * _UNITS[quantity[-2:]] / 1e6
    return found


@dataclass(frozen=True)
class Memory:
    """The megabytes of a process: resident, and of those the ones that no other process shares."""

    resident: float
    own: float


def _memory(pid: int) -> Memory:
    """Return the memory of a process; 0 of one that has ended."""
    with suppress(OSError):
        found = memory_of(pid)
        return Memory(found["resident"], found["private"])
    return Memory(0.0, 0.0)


class MemoryWatch:
    """A thread that samples the memory of processes, and kills one that grows beyond all bounds."""

    def __init__(self, processes: dict[str, int]) -> None:
        self._processes = processes
        self._ended = threading.Event()
        self.reset()
        threading.Thread(target=self._watch, daemon=True).start()

    def reset(self) -> None:
        """Forget the samples."""
        self.most = dict.fromkeys(self._processes, 0.0)
        """The most resident megabytes of each process since the reset."""

    def now(self) -> dict[str, Memory]:
        """Return the present memory of each process."""
        return {name: _memory(pid) for name, pid in self._processes.items()}

    def end(self) -> None:
        """End the thread."""
        self._ended.set()

    def _watch(self) -> None:
        while not self._ended.wait(_SAMPLES):
            for name, pid in self._processes.items():
                with suppress(OSError):
                    resident = resident_megabytes(pid)
                    self.most[name] = max(self.most[name], resident)
                    if resident > _CEILING:
                        os.kill(pid, signal.SIGKILL)


@dataclass
class Services:
    """Running services, with what a stranger knows about them."""

    plan: Plan
    """The ports and tokens for strangers."""
    started: Sequence[subprocess.Popen[bytes]]
    logs: Sequence[Path]
    database: Path
    watch: MemoryWatch

    def log_lines(self, without: str) -> int:
        """Return the number of lines in all logs, without the lines that contain a text."""
        lines = [line for log in self.logs for line in log.read_text().splitlines()]
        return sum(without not in line for line in lines)

    def database_bytes(self) -> int:
        """Return the bytes of the database's files."""
        files = self.database.parent.glob(f"{self.database.name}*")
        return sum(each.stat().st_size for each in files)

    def gone(self) -> list[str]:
        """Return the names of the processes that have ended or were killed. A zombie has no memory."""
        return [name for name, memory in self.watch.now().items() if not memory.resident]

    def terminate(self) -> float:
        """Send SIGTERM to the services; return the seconds until they have ended, or were killed."""
        begun = time.monotonic()
        for process in self.started:
            process.terminate()
        for process in self.started:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, begun + _PATIENCE - time.monotonic()))
        return time.monotonic() - begun


@contextmanager
def services(folder: Path, with_port: bool) -> Iterator[Services]:
    """Run a gateway, and a searcher with a port and tokens or the gateway's own searcher.

    Both have their default settings, and `folder` has their files.
    """
    folder.mkdir(parents=True)
    database, logs = folder / "data" / "outcomes.sqlite", [folder / "gateway.jsonl"]
    settings = environment(database)
    plan = Plan("", 0.0, 0, http=port_before_a_free_one())
    options: list[str] = []
    with ExitStack() as stack:
        started = []
        if with_port:
            plan, options, arguments = _with_tokens(plan, folder)
            logs.append(folder / "searcher.jsonl")
            command = [sys.executable, "-m", "searcher", "serve", *arguments]
            searcher, passed = stack.enter_context(running(command, settings, logs[1], ROOT))
            until(passed, lambda: _SERVING in logs[1].read_text())
            started.append(searcher)
        command = [sys.executable, "-m", "gateway", "--host", "127.0.0.1", "--port", str(plan.http), *options]
        gateway, passed = stack.enter_context(running(command, settings, logs[0], ROOT))
        started.append(gateway)
        until(passed, lambda: answer_of(plan.http, "/readyz")[0] == 200)
        own = next((pid for pid in family(gateway.pid) if module(pid) == SEARCHER), 0)
        processes = {GATEWAY: gateway.pid, SEARCHER: own or started[0].pid}
        watch = MemoryWatch(processes)
        stack.callback(watch.end)
        yield Services(plan, started, logs, database, watch)


def _with_tokens(plan: Plan, folder: Path) -> tuple[Plan, list[str], list[str]]:
    """Write tokens; return the plan with them, the gateway's options and the searcher's."""
    texts, entries = zip(*(new_token(name) for name in ("gateway", "limited", "unlimited")), strict=True)
    limits_of = {"limited": "calls_per_second = 20\nsearches_at_once = 4\n"}
    lines = [
        f'[[tokens]]\nname = "{entry.name}"\ndigest = "{entry.digest}"\n{limits_of.get(entry.name, "")}'
        for entry in entries
    ]
    (folder / "tokens.toml").write_text("\n".join(lines))
    (folder / "token").write_text(texts[0])
    plan = msgspec.structs.replace(plan, grpc=free_port(), limited=texts[1], unlimited=texts[2])
    target = f"127.0.0.1:{plan.grpc}"
    options = ["--searcher", target, "--searcher-token", str(folder / "token")]
    return plan, options, ["--listen", target, "--tokens", str(folder / "tokens.toml")]
