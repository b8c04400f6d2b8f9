"""The project's services as separate processes, started as a user starts them."""

import os
import random
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from tests.support import admin

READY_WITHIN = 240.0
"""Seconds for a gateway to become ready, enough to compile the engine into an empty cache."""

COMPILED_WITHIN = 500.0
"""Seconds for the default strategy to be compiled into an empty cache."""

EXIT_WITHIN = 15.0
"""Seconds from SIGTERM to the exit of a gateway."""

DEFAULT = "auto"
"""The strategy of a searcher when a request names none."""

ONLY_DEFAULT = {"SEARCHER_ONLY": DEFAULT}
"""The setting of a searcher, or of a build, that compiles only this strategy."""

_OF_CONSOLE = {"ADMIN", "OUTCOMES_URL"}
"""The variables that only a gateway with a console of its own needs."""

ROOT = Path(__file__).parents[2]

_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class NotReadyError(RuntimeError):
    """The gateway exited or timed out before it was ready; the message holds the end of its log."""


@dataclass(frozen=True, slots=True)
class Gateway:
    """A gateway that is ready."""

    url: str
    process: subprocess.Popen[bytes]


@contextmanager
def running_gateway(log: Path, *arguments: str | Path, **settings: str) -> Iterator[str]:
    """Run a gateway as `gateway_process` does; yield its URL."""
    with gateway_process(log, *arguments, **settings) as gateway:
        yield gateway.url


@contextmanager
def gateway_process(log: Path, *arguments: str | Path, **settings: str) -> Iterator[Gateway]:
    """Run `python -m gateway` with an embedded searcher until the block ends; yield it once it is ready.

    `arguments` are added to the command, and `settings` to its environment variables. The gateway plays only
    the default strategy unless `settings` contains SEARCHER_ONLY. It starts a console if they name the
    console's port or database. Its log goes to `log` as JSON lines, and its outbox into the same folder.
    Raises NotReadyError if the gateway does not become ready.
    """
    port = free_port()
    command = [sys.executable, "-m", "gateway", "--host", "127.0.0.1", "--port", str(port)]
    command += map(str, arguments)
    console = {} if settings.keys() & _OF_CONSOLE or "--admin" in command else {"CONSOLE_TARGET": "none"}
    url = f"http://127.0.0.1:{port}"
    with log.open("wb") as output:
        gateway = subprocess.Popen(
            command,
            cwd=ROOT,
            env=clean_environment() | {"XDG_DATA_HOME": str(log.parent.resolve())} | console | settings,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        _wait_until_ready(url, gateway, log)
        yield Gateway(url, gateway)
    finally:
        end(gateway)


def errors_in(log: Path) -> Iterator[str]:
    """Yield the lines of a service's log that tell of an error of the service itself."""
    for line in log.read_text().splitlines():
        if '"level": "error"' in line or "Traceback" in line:
            yield line[:200]


def samples(url: str, name: str) -> list[Sample]:
    """Return the samples of one name from the gateway's metrics, in order."""
    asked = urllib.request.Request(f"{url}/metrics", headers=admin.HEADERS)
    with _direct.open(asked, timeout=5) as answer:
        return samples_in(answer.read(), name)


def samples_in(text: bytes, name: str) -> list[Sample]:
    """Return the samples of one name from the text of metrics, in order."""
    families = text_string_to_metric_families(text.decode())
    return [sample for family in families for sample in family.samples if sample.name == name]


def moves_by_source(url: str) -> Counter[str]:
    """Return the number of moves since the gateway started, by their source."""
    moves = samples(url, "gateway_moves_total")
    return Counter({sample.labels["source"]: int(sample.value) for sample in moves})


def free_port() -> int:
    """Return a free TCP port of the loopback address, of those that `_free_ports` takes."""
    return _free_ports(1)


def port_before_a_free_one() -> int:
    """Return a free port of which the next one is free too."""
    return _free_ports(2)


def _free_ports(count: int) -> int:
    """Return the first of so many free ports in a row.

    They are below those that systems give to connections and to servers that name no port. Another test's
    server could take such a one meanwhile, and gRPC's servers even share theirs.
    """
    while True:
        first = random.randrange(20_000, 32_000)
        with suppress(OSError), ExitStack() as sockets:
            for port in range(first, first + count):
                sockets.enter_context(socket.create_server(("127.0.0.1", port)))
            return first


def compile_default() -> None:
    """Compile the default strategy for all positions with `python -m searcher warm`."""
    command = [sys.executable, "-m", "searcher", "warm", "--only", DEFAULT]
    subprocess.run(command, cwd=ROOT, check=True, timeout=COMPILED_WITHIN)


def clean_environment() -> dict[str, str]:
    """Return the caller's environment variables without those that would change the gateway under test.

    Its games are not added to the user's outcomes, and its searcher compiles only the default strategy.
    """
    settings = {"HOST", "PORT", "SEARCHER_TARGET", "ROUTES_FILE", "STRATEGY", "LOG_FORMAT", "LOG_LEVEL"}
    settings |= {"ADMIN", "GAMES", "GAMES_MEGABYTES", "OUTCOMES_MEGABYTES", "CONSOLE_TARGET"}
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in settings and not name.startswith("SNAKE_")
    }
    return kept | {"OUTCOMES_URL": "none"} | ONLY_DEFAULT | admin.ENVIRONMENT


def _wait_until_ready(url: str, gateway: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + READY_WITHIN
    while not is_ready(url):
        if gateway.poll() is not None or time.monotonic() > deadline:
            raise NotReadyError(f"exit code {gateway.poll()}; its log ends with:\n{log.read_text()[-2000:]}")
        time.sleep(0.1)


def is_ready(url: str) -> bool:
    """Return whether the gateway responds and has a searcher."""
    try:
        with _direct.open(f"{url}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, TimeoutError, ConnectionError):
        return False


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process by SIGTERM, or by SIGKILL if that takes too long."""
    process.terminate()
    try:
        process.wait(EXIT_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_for_console(address: str) -> None:
    """Wait until a console serves its pages: a gateway is ready without it."""
    host, _, port = address.rpartition(":")
    until = time.monotonic() + EXIT_WITHIN
    while True:
        with suppress(OSError), socket.create_connection((host, int(port)), timeout=1.0):
            return
        if time.monotonic() > until:
            raise TimeoutError(f"nothing listens at {address}")
        time.sleep(0.05)
