"""Docker or Podman, by the commands that both have in common."""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from infra.images.layers import Layer, read_history

ENGINES = ("docker", "podman")
"""The engines, the preferred one first."""


class EngineError(RuntimeError):
    """There is no engine, or it failed. The message has the remedy, or the failed command."""


@dataclass(frozen=True)
class Engine:
    """A container engine, by the name of its command."""

    name: str

    @property
    def build_options(self) -> Sequence[str]:
        """The options of a build. Podman gets Docker's format, because its own has no health check."""
        return ("--format=docker",) if self.name == "podman" else ()

    def run(self, *arguments: str, stdin: subprocess.Popen[bytes] | None = None) -> None:
        """Run a command of the engine, whose output is shown. Raises EngineError if it fails."""
        source = stdin.stdout if stdin else None
        if subprocess.run([self.name, *arguments], stdin=source, check=False).returncode:
            raise EngineError(f"{' '.join([self.name, *arguments])} failed")

    def has(self, image: str) -> bool:
        """Return whether the engine has an image itself, so that it need not ask a registry."""
        return _succeeds(self.name, "image", "inspect", image)

    def history(self, image: str) -> list[Layer]:
        """Return the layers of an image, the newest first. Raises EngineError if there is no such image."""
        command = [self.name, "history", "--no-trunc", "--human=false", "--format=json", image]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise EngineError(done.stderr.strip())
        return read_history(done.stdout)


def find_engine(names: Sequence[str] = ENGINES) -> Engine:
    """Return the first engine that works, because Docker's command may be there without its service.

    Raises EngineError if no engine works.
    """
    for name in names:
        if shutil.which(name) and _succeeds(name, "info"):
            return Engine(name)
    raise EngineError(f"none of these works here: {', '.join(names)}")


def _succeeds(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
