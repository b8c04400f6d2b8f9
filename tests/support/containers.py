"""Container builds without a container engine: steps run in folders, services run as processes.

The root directory of an image is a folder, and the folders that the container files create have the same
names in it. A process also sees the rest of this machine. The tests check the container files themselves:
that the steps work, and that a service runs from an installation that it can't write to.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from dockerfile_parse import DockerfileParser

from tests.support.processes import family

ROOT = Path(__file__).parents[2]

OWN = ("app", "build")
"""The folders below / that the container files of this project use."""

PYTHON = "/usr/local/bin"
"""The folder of Python in the base images; the Python of this process replaces it."""

COMPILER = ("numba", "llvmlite")
"""The packages that only a build needs."""

STEP_WITHIN = 600.0
"""Seconds for a build step."""

_MINE = re.compile(rf"(?<![\w.}}/-])/(?=(?:{'|'.join(OWN)})\b)")
_VARIABLE = re.compile(r"\$\{?(\w+)(?::-(\w+))?\}?")

_SYSTEM = "apt-get "
"""The begin of a step that installs packages of the system, which this machine has to have already."""

Provide = Callable[[Path, str], Mapping[str, str]]
"""Called with the root and the command before each command; returns environment variables for it."""


@dataclass(frozen=True)
class Image:
    """The image that a container file builds, and how a container of it starts."""

    root: Path
    home: Path
    env: Mapping[str, str] = field(default_factory=dict)
    workdir: str = "/"
    user: str = ""
    entrypoint: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    health: tuple[str, ...] = ()

    def start(self, *command: str, **settings: str) -> subprocess.Popen[str]:
        """Start a process as the image's user with its settings and these; its output goes to a pipe."""
        own = {name: self._here(value) for name, value in self.env.items()}
        own["PATH"] = own["PATH"].replace(PYTHON, str(Path(sys.executable).parent))
        return subprocess.Popen(
            [*(_AS_PLAIN_USER if self.user else ()), *map(self._here, command)],
            cwd=self.root / self.workdir.lstrip("/"),
            env={**own, "HOME": str(self.home), **settings},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *command: str, **settings: str) -> tuple[int, str]:
        """Run such a process; return its exit status and its output."""
        with self.start(*command, **settings) as process:
            output, _ = process.communicate(timeout=STEP_WITHIN)
        return process.returncode, output

    def serve(self, **settings: str) -> subprocess.Popen[str]:
        """Start the main process of a container."""
        return self.start(*self.entrypoint, *self.command, **settings)

    def _here(self, text: str) -> str:
        """Return text of the container file with its folders replaced by those on this machine."""
        return _MINE.sub(f"{self.root}/", text)


def loaded_by(pid: int, packages: Collection[str]) -> set[str]:
    """Return which of some packages a process or one of its descendants has files of in its memory."""
    maps = [Path(f"/proc/{each}/maps").read_text() for each in family(pid)]
    return {package for package in packages if any(package in text for text in maps)}


class BuildError(Exception):
    """A step failed; the message has the step and its output."""


class Builder:
    """A builder of images below a folder, one at a time in the same place, so that paths stay valid."""

    def __init__(self, folder: Path, provide: Provide, others: Mapping[str, Image] | None = None) -> None:
        self._folder, self._provide, self._others = folder, provide, others or {}
        self._root, self._home = folder / "root", folder / "home"
        self._built: dict[str, Image] = {}
        self._home.mkdir(parents=True)
        self._home.chmod(0o555)

    def build(self, file: Path, **arguments: str) -> Image:
        """Build the last stage of the file and the stages it needs; return its image."""
        self._arguments = arguments
        self._globals = _globals_of(file, arguments)
        self._stages = _stages_of(file)
        image = self._stage(list(self._stages)[-1])
        image = replace(image, root=image.root.rename(self._root))
        return self._user(image, image.user, {})

    def _stage(self, name: str) -> Image:
        """Build a stage and keep its image in a separate folder."""
        if name in self._built:
            return self._built[name]
        (_, base), *steps = self._stages[name]
        image = self._base(_filled(base, self._globals))
        for source in (value for instruction, value in steps if instruction == "COPY"):
            self._source(source)
        if image.root.exists():
            shutil.copytree(image.root, self._root, symlinks=True)
            _set_modes(self._root, add=0o200)
        else:
            self._root.mkdir()
        image, declared = replace(image, root=self._root), dict[str, str]()
        for instruction, value in steps:
            image = getattr(self, f"_{instruction.lower()}")(image, value, declared)
        kept = self._folder / "stages" / name
        kept.parent.mkdir(exist_ok=True)
        self._built[name] = replace(image, root=self._root.rename(kept))
        return self._built[name]

    def _base(self, name: str) -> Image:
        if name in self._stages:
            return self._stage(name)
        if name in self._others:
            return self._others[name]
        # A third-party image is not available here, apart from the Python that every base image has.
        return Image(self._folder / "none", self._home, {"PATH": f"{PYTHON}:/usr/bin:/bin"})

    def _source(self, value: str) -> tuple[Path | None, list[str]]:
        """Return the source root of a COPY, None if its image is not available, and its other words."""
        first, *words = value.split()
        if not first.startswith("--from="):
            return ROOT, [first, *words]
        name = first.removeprefix("--from=")
        image = self._base(name)
        return (image.root if image.root.exists() else None), words

    def _declare(self, value: str, declared: dict[str, str]) -> None:
        name, _, default = value.partition("=")
        declared[name] = self._arguments.get(name, default or self._globals[name])

    def _arg(self, image: Image, value: str, declared: dict[str, str]) -> Image:
        self._declare(value, declared)
        return image

    def _env(self, image: Image, value: str, declared: dict[str, str]) -> Image:
        known = {**declared, **image.env}
        pairs = (pair.partition("=") for pair in value.split())
        return replace(image, env={**image.env, **{name: _filled(text, known) for name, _, text in pairs}})

    def _workdir(self, image: Image, value: str, _declared: dict[str, str]) -> Image:
        (image.root / value.lstrip("/")).mkdir(parents=True, exist_ok=True)
        return replace(image, workdir=value)

    def _copy(self, image: Image, value: str, _declared: dict[str, str]) -> Image:
        source, (*names, target) = self._source(value)
        to = image.root / image.workdir.lstrip("/") / target.lstrip("/")
        for name in names if source else ():
            what = Path(source or "") / name.lstrip("/")
            if what.is_dir():
                unwanted = shutil.ignore_patterns("__pycache__") if source == ROOT else None
                shutil.copytree(what, to, symlinks=True, dirs_exist_ok=True, ignore=unwanted)
            else:
                to.mkdir(parents=True, exist_ok=True)
                shutil.copy2(what, to)
        return image

    def _run(self, image: Image, value: str, declared: dict[str, str]) -> Image:
        if value.startswith(_SYSTEM):
            return image
        command = _words(value) or ("sh", "-ec", value)
        status, output = image.run(*command, **declared, **self._provide(image.root, value))
        if status:
            raise BuildError(f"{value}: exit status {status}\n{output}")
        return image

    def _user(self, image: Image, value: str, _declared: dict[str, str]) -> Image:
        # The user of a container does not own its files, so from here on everything is read-only.
        _set_modes(image.root, remove=0o222)
        return replace(image, user=value)

    def _expose(self, image: Image, _value: str, _declared: dict[str, str]) -> Image:
        return image

    def _healthcheck(self, image: Image, value: str, _declared: dict[str, str]) -> Image:
        return replace(image, health=_words(value.partition(" CMD ")[2]))

    def _entrypoint(self, image: Image, value: str, _declared: dict[str, str]) -> Image:
        return replace(image, entrypoint=_words(value), command=())

    def _cmd(self, image: Image, value: str, _declared: dict[str, str]) -> Image:
        return replace(image, command=_words(value))


# Root can write everywhere. Without capabilities it is bound by the modes of its own files.
_AS_PLAIN_USER = (
    ("setpriv", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all") if os.geteuid() == 0 else ()
)


def _instructions(file: Path) -> Iterator[tuple[str, str]]:
    with file.open() as opened:
        for step in DockerfileParser(fileobj=opened).structure:
            if step["instruction"] != "COMMENT":
                yield step["instruction"], step["value"]


def bases(file: Path, **arguments: str) -> dict[str, str]:
    """Return the base of each stage in a build with these arguments."""
    values = _globals_of(file, arguments)
    return {name: _filled(base, values) for name, ((_, base), *_) in _stages_of(file).items()}


def _globals_of(file: Path, given: Mapping[str, str]) -> defaultdict[str, str]:
    """Return the arguments that are known outside of the stages: the given ones, or their defaults."""
    values: defaultdict[str, str] = defaultdict(str)
    for instruction, value in _instructions(file):
        if instruction == "FROM":
            break
        name, _, default = value.partition("=")
        values[name] = given.get(name, _filled(default, values))
    return values


def _stages_of(file: Path) -> dict[str, list[tuple[str, str]]]:
    """Return the instructions of each stage by its name, the first of them its FROM with the base alone."""
    stages: dict[str, list[tuple[str, str]]] = {}
    for instruction, value in _instructions(file):
        if instruction == "FROM":
            base, _, name = value.partition(" AS ")
            last = name or f"stage {len(stages)}"
            stages[last] = [("FROM", base)]
        elif stages:
            stages[last].append((instruction, value))
    return stages


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda match: values[match[1]] or match[2] or "", text)


def _words(value: str) -> tuple[str, ...]:
    """Return the words of a command in exec form; empty if it is in shell form."""
    return tuple(json.loads(value)) if value.startswith("[") else ()


def _set_modes(folder: Path, add: int = 0, remove: int = 0) -> None:
    """Change the modes of a folder and everything below it, except links and their targets."""
    for parent, _, files in os.walk(folder):
        paths = [Path(parent), *(Path(parent, name) for name in files)]
        for path in paths:
            if not path.is_symlink():
                path.chmod(path.stat().st_mode & ~remove | add)
