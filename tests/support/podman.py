"""Podman with images of its own, so that tests replace none of this machine."""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec

from tests.support.dependencies import report_missing
from tests.support.http import answer_of

HARDENED = ("--read-only", "--tmpfs=/tmp", "--cap-drop=all", "--security-opt=no-new-privileges")
"""The options that the README of infra/ recommends for every container of this project."""

ENDED_WITHIN = 300.0
"""Seconds for a command of Podman."""

_NEEDED = (
    ("podman", "podman"),
    ("runc", "runc"),
    ("/usr/lib/podman/netavark", "netavark"),
    ("/usr/lib/podman/aardvark-dns", "aardvark-dns"),
    ("mmdebstrap", "mmdebstrap"),
)
"""Programs, each with the Debian package that has it."""


class PodmanError(RuntimeError):
    """A command failed; the message has the command and its output."""


@dataclass(frozen=True)
class Container:
    """A container that runs."""

    podman: "Podman"
    name: str

    @cached_property
    def address(self) -> str:
        """The IPv4 address in its network, which this machine reaches. After a restart it may be another."""
        networks = self._about()["NetworkSettings"]["Networks"]
        (network,) = networks.values()
        return str(network["IPAddress"])

    @property
    def process(self) -> int:
        """The id of its main process on this machine; 0 if it has ended."""
        return int(self._about()["State"]["Pid"])

    @property
    def output(self) -> str:
        """The output of its processes so far."""
        return self.podman.run("logs", self.name)

    @property
    def exit_code(self) -> int:
        """The exit code of its main process, once that has ended."""
        return int(self._about()["State"]["ExitCode"])

    @property
    def is_healthy(self) -> bool:
        """Whether its health check passes now."""
        return self.podman.status("healthcheck", "run", self.name) == 0

    def ask(self, port: int, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        """Return the status and body of its response over HTTP; 0 and an empty body if there is none."""
        return answer_of(port, path, body, self.address)

    def _about(self) -> dict[str, Any]:
        [about] = msgspec.json.decode(self.podman.run("inspect", self.name), type=list[dict[str, Any]])
        return about


class Podman:
    """The command, with its images and containers below a folder."""

    def __init__(self, folder: Path, settings: Path) -> None:
        """Use a folder, which may have images from earlier, and a file such as containers.conf."""
        folder.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256(str(folder).encode()).hexdigest()[:8]
        storage = folder / "storage.conf"
        # Podman refuses long paths for what it keeps only until the machine restarts.
        storage.write_text(
            f'[storage]\ndriver = "overlay"\ngraphroot = "{folder / "storage"}"\n'
            f'runroot = "/run/battlesnake-{digest}"\n'
        )
        self.environment: Mapping[str, str] = os.environ | {
            "CONTAINERS_CONF": str(settings),
            "CONTAINERS_STORAGE_CONF": str(storage),
        }

    def run(self, *arguments: str) -> str:
        """Return the output of a command, with its errors. Raises PodmanError if it fails."""
        done = self._run(*arguments)
        if done.returncode:
            raise PodmanError(f"podman {' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}")
        return done.stdout

    def status(self, *arguments: str) -> int:
        """Return the exit code of a command."""
        return self._run(*arguments).returncode

    @contextmanager
    def running(self, image: str, *options: str, **settings: str) -> Iterator[Container]:
        """Run a container of an image with environment variables; remove it in the end."""
        name = f"test-{uuid4().hex[:8]}"
        variables = [f"--env={key}={value}" for key, value in settings.items()]
        self.run("run", "--detach", f"--name={name}", "--pull=never", *options, *variables, image)
        try:
            yield Container(self, name)
        finally:
            self.run("rm", "--force", "--time=0", name)

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["podman", *arguments],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=ENDED_WITHIN,
        )


BASE = "localhost/battlesnake-base:bookworm"
"""An image with Python, made of Debian's packages without a registry of images."""

BARE = "localhost/battlesnake-bare:bullseye"
"""An image without Python, with an older C library than this machine's."""

_PACKAGES = {BASE: "python3,python3-venv,ca-certificates", BARE: "psmisc"}

_VARIANTS = {BASE: "apt", BARE: "essential"}
"""The packages of Debian that are always there. Builds install others by apt."""


def make_base(podman: Podman, image: str = BASE) -> None:
    """Make a base of images, unless Podman has it."""
    if podman.status("image", "exists", image) == 0:
        return
    packages = (
        *("mmdebstrap", f"--variant={_VARIANTS[image]}", f"--include={_PACKAGES[image]}"),
        # Podman fills /dev. An interrupted build begins again, so its files need not reach the disk.
        *("--skip=output/dev", "--dpkgopt=force-unsafe-io", image.partition(":")[2], "-"),
    )
    path = "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    settings = ("--change", path, "--change", "ENV LANG=C.UTF-8")
    with subprocess.Popen(packages, stdout=subprocess.PIPE) as packing:
        command = ("podman", "import", *settings, "-", image)
        subprocess.run(command, stdin=packing.stdout, env=podman.environment, check=True)
    if packing.returncode:
        raise PodmanError("mmdebstrap failed")


def require_podman() -> None:
    """Report what is missing on this machine to build and run containers that see one another."""
    if os.geteuid():
        report_missing("root's right to make networks of containers")
    for program, package in _NEEDED:
        if shutil.which(program) is None:
            report_missing(program, package)
