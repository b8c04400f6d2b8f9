"""Runs of the commands of a page, as a reader types them into terminals at the top of a checkout."""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import venv
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from socket import create_connection
from types import TracebackType
from typing import Self

from tests.docs.pages import ROOT
from tests.support.http import answer_of
from tests.support.services import EXIT_WITHIN, free_port, port_before_a_free_one

PATIENCE = 120.0
"""Seconds for a command, or for a service to listen; they take that long only if nothing is compiled."""

_KEPT = re.compile(r"PATH|LANG|LC_\w+|TMPDIR|CI|GO\w+|\w+_(proxy|PROXY)")
"""The variables of the caller that commands get."""

SETTINGS = """
[gateway]
host = "127.0.0.1"
max-timeout = 100
reviews = "none"
"""
"""Gateways serve this machine alone, and moves and lost games leave most of the time to others."""

_PORT = re.compile(r"(?<=:)\d{4,5}\b")


class CommandError(RuntimeError):
    """A command has failed; the message has the command and the end of its output."""


@dataclass
class Terminal:
    """A shell in a folder, as a context manager that ends what still serves at its end.

    Ports that commands name become free ones, and addresses of all interfaces the loopback one.
    """

    folder: Path
    home: Path
    variables: dict[str, str] = field(init=False)
    _ports: dict[str, int] = field(init=False)
    _serving: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        first = port_before_a_free_one()
        self._ports = {"8000": first, "8001": first + 1}
        # The console of a gateway without these variables is at 8001.
        ports = {"PORT": str(first), "ADMIN": f"127.0.0.1:{first + 1}"}
        self.variables = _environment(self.home, self.folder) | ports

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._serving.values():
            _end(process)

    def run(self, code: str) -> str:
        """Run shell code and return its output; the variables that it exports stay. Raises CommandError."""
        state, output = self.home / "variables", self.home / "output"
        with output.open("wb") as file:
            process = self._start(f"{code}\nenv --null >{state}", file.fileno())
            try:
                status = process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                _end(process)
                raise CommandError(f"{code}still runs after {PATIENCE:g} s") from None
        printed = output.read_text(errors="replace")
        if status:
            raise CommandError(f"{code}ended with status {status}:\n{printed[-8000:]}")
        pairs = (pair.partition("=") for pair in state.read_text().split("\0") if pair)
        self.variables = {name: value for name, _, value in pairs}
        return printed

    def serve(self, code: str, port: str, path: str = "") -> None:
        """Start a command that serves, and wait until its port answers, or the path there with status 200.

        Programs that served at this port are ended before. Raises CommandError.
        """
        number = self._port(port)
        self.end(port)
        log = self._log(number)
        with log.open("wb") as file:
            process = self._serving[number] = self._start(code, file.fileno())
        deadline = time.monotonic() + PATIENCE
        while not _answers(number, path):
            if process.poll() is not None or time.monotonic() > deadline:
                raise CommandError(f"{code}does not serve:\n{log.read_text()[-2000:]}")
            time.sleep(0.1)

    def end(self, port: str) -> None:
        """End what serves at a port, if something does. Raises CommandError if it has ended by itself."""
        number = self._port(port)
        process = self._serving.pop(number, None)
        if process is not None:
            ended = process.poll()
            _end(process)
            if ended is not None:
                log = self._log(number).read_text()
                raise CommandError(f"what served at port {port} ended with status {ended}:\n{log[-2000:]}")

    def end_all(self) -> None:
        """End everything that serves. Raises CommandError if something has ended by itself."""
        for port in list(self._ports):
            self.end(port)

    def _log(self, port: int) -> Path:
        return self.home / f"log-{port}"

    def _port(self, name: str) -> int:
        if name not in self._ports:
            self._ports[name] = free_port()
        return self._ports[name]

    def _start(self, code: str, output: int) -> subprocess.Popen[bytes]:
        code = _PORT.sub(lambda match: str(self._port(match[0])), code).replace("0.0.0.0", "127.0.0.1")
        return subprocess.Popen(
            ("bash", "-euo", "pipefail", "-c", code),
            cwd=self.folder,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it has started: by SIGTERM, or by SIGKILL if that takes too long."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        with suppress(subprocess.TimeoutExpired):
            process.wait(EXIT_WITHIN)


def _answers(port: int, path: str) -> bool:
    if path:
        return answer_of(port, path)[0] == HTTPStatus.OK
    with suppress(OSError), create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def _environment(home: Path, checkout: Path) -> dict[str, str]:
    """Return the variables of a user who has just opened a terminal, and those that make runs cheap."""
    programs = checkout / ".venv" / "bin"
    settings = home / "settings.toml"
    settings.write_text(SETTINGS)
    cache = os.environ.get("SEARCHER_CACHE_DIR", str(ROOT / ".cache" / "compiled"))
    return (
        {name: value for name, value in os.environ.items() if _KEPT.fullmatch(name)}
        | _caches_of_go()
        | {
            "HOME": str(home),
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            # What is compiled stays.
            "SEARCHER_CACHE_DIR": cache,
            # A build of a package takes its tools from the environment, not from the network.
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_NO_INDEX": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "BATTLESNAKE_CONFIG": str(settings),
            "BROWSER": "true",
            "COLUMNS": "200",
            "OPENBLAS_NUM_THREADS": "1",
        }
    )


def _caches_of_go() -> dict[str, str]:
    """Return where Go keeps what it has downloaded and built, if it is installed: not in a new home."""
    names = ("GOCACHE", "GOMODCACHE")
    if not shutil.which("go"):
        return {}
    places = subprocess.run(("go", "env", *names), capture_output=True, text=True, check=True)
    return dict(zip(names, places.stdout.splitlines(), strict=True))


STAMPS = (".created", ".runtime", ".arena", ".dev", ".docs")
"""The files by which the Makefile knows what is installed."""

SCRIPTS = ("pip", "battlesnake-search", "battlesnake-gateway", "battlesnake-searcher", "battlesnake-arena")
"""The installed programs that pages name."""


def make_checkout(folder: Path) -> None:
    """Make a checkout with links to what is at the top of this one, and an environment for more packages."""
    listed = subprocess.run(
        ("git", "ls-files", "--cached", "--others", "--exclude-standard"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in {file.partition("/")[0] for file in listed.stdout.splitlines()}:
        (folder / name).symlink_to(ROOT / name)
    _make_environment(folder / ".venv", folder)


def _make_environment(environment: Path, checkout: Path) -> None:
    """Make an environment that has the packages of this Python, and those that a page installs."""
    venv.create(environment, symlinks=True)
    paths = {"base": str(environment), "platbase": str(environment)}
    site = Path(sysconfig.get_path("purelib", "venv", paths))
    ours = sysconfig.get_path("purelib")
    # The first line goes before the packages of this Python, of which one may be this project elsewhere.
    (site / "checkout.pth").write_text(f"{checkout}\nimport site; site.addsitedir({ours!r})\n")
    for name in SCRIPTS:
        script = (Path(sys.prefix) / "bin" / name).read_text()
        # This environment may be a link to another, into which a page would install its packages.
        for prefix in (sys.prefix, str(Path(sys.prefix).resolve())):
            script = script.replace(prefix, str(environment))
        (environment / "bin" / name).write_text(script)
        shutil.copymode(Path(sys.prefix) / "bin" / name, environment / "bin" / name)
    for name in STAMPS:
        (environment / name).touch()
