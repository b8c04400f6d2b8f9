"""A demonstration on this machine: a snake, Prometheus with the alerts, and games."""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import urlopen

import yaml

ALERTS = Path(__file__).with_name("alerts.yaml")

_PATIENCE = 120.0
"""Seconds for a service to answer. It takes that long only if it has to compile its code first."""


class DemoError(Exception):
    """The demonstration can't run; the message says why."""


@contextmanager
def running(games: int) -> Iterator[tuple[str, str, str]]:
    """Run everything, with `games` games at once. Yield the addresses of snake, console and Prometheus."""
    if shutil.which("prometheus") is None:
        raise DemoError("prometheus is missing; install the Debian package prometheus")
    snake, console, prometheus = (f"127.0.0.1:{port}" for port in _free_ports(3))
    host, port = snake.split(":")
    python, processes = sys.executable, []
    with TemporaryDirectory(prefix="battlesnake-demo-") as folder:
        _configure(Path(folder), console)
        commands = [
            (python, "-m", "gateway", "--host", host, "--port", port, "--admin", console),
            (
                "prometheus",
                f"--config.file={folder}/prometheus.yml",
                f"--storage.tsdb.path={folder}/data",
                f"--web.listen-address={prometheus}",
            ),
        ]
        match = ("match", f"http://{snake}", "greedy", "--time", "500", "--games", "100000")
        with (Path(folder) / "log").open("wb") as log:
            try:
                processes += [subprocess.Popen(command, stdout=log, stderr=log) for command in commands]
                for address in (f"http://{snake}/readyz", f"http://{prometheus}/-/ready"):
                    _wait_for(address, Path(folder) / "log")
                players = (python, "-m", "arena", *match)
                processes += [subprocess.Popen(players, stdout=log, stderr=log) for _ in range(games)]
                yield f"http://{snake}", f"http://{console}", f"http://{prometheus}"
            finally:
                for process in reversed(processes):
                    process.terminate()
                for process in processes:
                    process.wait()


def _configure(folder: Path, console: str) -> None:
    scraped = {"job_name": "gateway", "static_configs": [{"targets": [console]}]}
    configuration = {
        "global": {"scrape_interval": "2s", "evaluation_interval": "5s"},
        "rule_files": [str(ALERTS)],
        "scrape_configs": [scraped],
    }
    (folder / "prometheus.yml").write_text(yaml.safe_dump(configuration))


def _wait_for(address: str, log: Path) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        with suppress(URLError, ConnectionError), urlopen(address, timeout=1):
            return
        time.sleep(0.2)
    raise DemoError(f"{address} does not answer:\n{log.read_text()[-2000:]}")


def _free_ports(number: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(number)]
        return [int(each.getsockname()[1]) for each in sockets]
