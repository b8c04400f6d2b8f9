"""The bots of examples/, built in a cache folder and started as their READMEs say."""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.http import answer_of, wait_until
from tests.support.machine_lock import locked
from tests.support.services import ROOT, end, free_port

EXAMPLES = ROOT / "examples"

CACHE = ROOT / ".cache" / "examples"
"""The folder in which the bots are built. Each has a copy of its example, and of the contract beside it."""

NOT_SOURCES = {".venv", "__pycache__", "battlesnake", "build", "generated", "node_modules", "target"}
"""The folders of an example that its commands make; none of them is committed."""

BUILT_WITHIN = 900.0
"""Seconds for each command of a build, with downloads."""

QUICK = {"CARGO_PROFILE_RELEASE_OPT_LEVEL": "0"}
"""Variables with which a build takes less time than its users' build, which optimizes. `go tool` always
optimizes, so other options for Go would compile its standard library twice."""

STARTED_WITHIN = 30.0
"""Seconds for a bot to answer on a busy machine."""


@dataclass(frozen=True, slots=True)
class Bot:
    """An example: its folder, its source, what builds and starts it, and the Debian packages for that.

    The commands run in the example's folder.
    """

    name: str
    source: str
    build: tuple[str, ...]
    run: str
    needs: tuple[tuple[str, str], ...] = ()
    """Programs, each with the Debian package that has it."""

    @property
    def folder(self) -> Path:
        """The folder of the checkout that has the example."""
        return EXAMPLES / self.name

    @property
    def missing(self) -> tuple[tuple[str, str], ...]:
        """The programs that are not installed, each with its Debian package."""
        return tuple((program, package) for program, package in self.needs if not shutil.which(program))


BOTS = (
    Bot(
        name="go",
        source="main.go",
        build=("go generate", "go build -o build/bot ."),
        run="build/bot",
        needs=(("go", "golang-go"),),
    ),
    Bot(
        name="typescript",
        source="src/bot.ts",
        build=("npm ci", "npm run generate", "npm run build"),
        run="node build/bot.js",
        needs=(("node", "nodejs"), ("npm", "npm")),
    ),
    Bot(
        name="python",
        source="bot.py",
        build=(
            "python3 -m venv .venv",
            ".venv/bin/pip install -r requirements.txt",
            ".venv/bin/python -m grpc_tools.protoc -I ../../protos --python_out=. --pyi_out=. "
            "--grpc_python_out=. battlesnake/search/v1/search.proto",
        ),
        run=".venv/bin/python bot.py",
    ),
    Bot(
        name="rust",
        source="src/main.rs",
        build=("cargo build --release --locked",),
        run="target/release/bot",
        needs=(("cargo", "cargo"),),
    ),
    Bot(
        name="java",
        source="src/main/java/Bot.java",
        build=("mvn -q -B package",),
        run="java -jar target/bot.jar",
        needs=(("java", "default-jdk-headless"), ("mvn", "maven")),
    ),
)


def build(bot: Bot) -> Path:
    """Build a bot unless that is done already; return the folder to run it in.

    The copy lies as deep as the example does in a checkout, so paths like ../../protos lead to the contract.
    Raises subprocess.CalledProcessError if a command fails.
    """
    checkout = CACHE / bot.name
    folder, stamp = checkout / "examples" / bot.name, checkout / "built"
    checkout.mkdir(parents=True, exist_ok=True)
    with locked(checkout / "lock"):
        digest = _digest(bot)
        if not stamp.exists() or stamp.read_text() != digest:
            stamp.unlink(missing_ok=True)
            _copy(bot, checkout)
            for command in bot.build:
                subprocess.run(
                    shlex.split(command),
                    cwd=folder,
                    env=_environment() | QUICK,
                    check=True,
                    timeout=BUILT_WITHIN,
                )
            stamp.write_text(digest)
    return folder


@contextmanager
def running_bot(bot: Bot, log: Path, searcher: str, token: str = "") -> Iterator[str]:
    """Run a bot that is built, with its output in a file, until the block ends; yield its URL."""
    port = free_port()
    settings = {"PORT": str(port), "SEARCHER": searcher} | ({"SEARCHER_TOKEN": token} if token else {})
    with log.open("wb") as output:
        process = subprocess.Popen(
            shlex.split(bot.run),
            cwd=build(bot),
            env=_environment() | settings,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        wait_until(lambda: process.poll() is not None or answer_of(port, "/")[0] == 200, STARTED_WITHIN)
        assert process.poll() is None, log.read_text()
        yield f"http://127.0.0.1:{port}"
    finally:
        end(process)


def sources(folder: Path) -> Iterator[Path]:
    """Yield the paths of all files below a folder that nothing generated, relative to it."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(set(folders) - NOT_SOURCES)
        yield from (Path(place, file).relative_to(folder) for file in sorted(files))


def _contract() -> list[Path]:
    return [Path("buf.yaml"), *sorted(file.relative_to(ROOT) for file in ROOT.glob("protos/**/*.proto"))]


def _digest(bot: Bot) -> str:
    inputs = [*(ROOT / file for file in _contract()), *(bot.folder / file for file in sources(bot.folder))]
    parts = [f"{file.relative_to(ROOT)} {hashlib.sha256(file.read_bytes()).hexdigest()}" for file in inputs]
    return "\n".join([*parts, *bot.build, sys.version])


def _copy(bot: Bot, checkout: Path) -> None:
    """Copy what changed, with its times, so that a build has to do only what is new."""
    folder = checkout / "examples" / bot.name
    wanted = set(sources(bot.folder))
    for file in set(sources(folder)) - wanted:
        (folder / file).unlink()
    for file in [*_contract(), *(Path("examples", bot.name, file) for file in wanted)]:
        (checkout / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, checkout / file)


def _environment() -> dict[str, str]:
    """Return the caller's environment variables with this project's programs, buf for one, on the path."""
    programs = Path(sys.executable).parent
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SEARCHER", "PORT"))}
    return kept | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
