"""kubectl, as an administrator of the cluster uses it, and its errors."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.checks.tools import find_tool

WITHIN = 120.0
"""Seconds for each wait, enough on a busy machine."""


class ClusterError(RuntimeError):
    """The cluster does not start, or the manifests don't work on it as promised."""


def wait_until(true: Callable[[], bool], what: str) -> None:
    """Return when a condition is true; `what` describes it. Raises ClusterError after WITHIN seconds."""
    end = time.monotonic() + WITHIN
    while not true():
        if time.monotonic() > end:
            raise ClusterError(f"after {WITHIN:.0f} s still not true: {what}")
        time.sleep(0.2)


Resource = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Kubectl:
    """kubectl for the cluster of a kubeconfig and, unless it is empty, one of its namespaces."""

    config: Path
    namespace: str = ""

    @property
    def cache(self) -> Path:
        """The folder of kubectl's cache, beside its configuration instead of at home."""
        return self.config.parent / "kubectl"

    def command(self, *arguments: str | Path) -> list[str]:
        """Return the command with these arguments."""
        options = [f"--kubeconfig={self.config}", f"--cache-dir={self.cache}", "--warnings-as-errors"]
        options += [f"--namespace={self.namespace}"] if self.namespace else []
        return [find_tool("kubectl"), *options, *map(str, arguments)]

    def __call__(self, *arguments: str | Path, given: str = "") -> str:
        """Return the output of kubectl; `given` is its input. Raises ClusterError for errors and warnings."""
        return checked(f"kubectl {arguments[0]}", self.command(*arguments), given=given)

    def refusal(self, *arguments: str | Path, given: str = "") -> str:
        """Return why the cluster refuses a request; empty if it does not."""
        command = self.command(*arguments)
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
        return done.stderr.strip() if done.returncode else ""

    def resources(self, kind: str, *arguments: str) -> list[Resource]:
        """Return the resources of a kind in the namespace. Raises ClusterError."""
        items: list[Resource] = json.loads(self("get", kind, "--output=json", *arguments))["items"]
        return items


def checked(
    what: str,
    command: Sequence[str | Path],
    *,
    given: str = "",
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> str:
    """Return the output of a command. Raises ClusterError, beginning with `what`, if it fails or warns."""
    settings = os.environ | (env or {})
    done = subprocess.run(
        command, input=given, cwd=folder, env=settings, capture_output=True, text=True, check=False
    )
    # kubectl exits with 0 despite its own warnings, unlike warnings of the server.
    if done.returncode or "Warning:" in done.stderr:
        lines = dict.fromkeys((done.stderr or done.stdout).splitlines())
        raise ClusterError(f"{what}: {'; '.join(lines)}")
    return done.stdout
