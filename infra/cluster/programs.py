"""The programs of a cluster, built with Go at pinned versions and kept in `.cache`."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from tests.support.go_build import CACHE, go_build, pinned_version

MODULE = Path(__file__).parent / "programs"
"""The folder of the go.mod that pins the programs and of the go.sum with the checksums of their sources."""

_KUBERNETES = "k8s.io/kubernetes"
_KWOK = "sigs.k8s.io/kwok"


@dataclass(frozen=True, slots=True)
class Program:
    """A program: its name, the Go module that has it, and its package there."""

    name: str
    module: str
    package: str

    @property
    def path(self) -> Path:
        """Where the program is, once it is built."""
        version = pinned_version(MODULE, self.module)
        return CACHE / f"{self.module.split('/')[1]}-{version}" / self.name


ETCD = Program("etcd", "go.etcd.io/etcd/server/v3", "")
API_SERVER = Program("kube-apiserver", _KUBERNETES, "/cmd/kube-apiserver")
CONTROLLER_MANAGER = Program("kube-controller-manager", _KUBERNETES, "/cmd/kube-controller-manager")
SCHEDULER = Program("kube-scheduler", _KUBERNETES, "/cmd/kube-scheduler")
KWOK = Program("kwok", _KWOK, "/cmd/kwok")
PROGRAMS = (ETCD, API_SERVER, CONTROLLER_MANAGER, SCHEDULER, KWOK)

STAGES = KWOK.path.parent / "stages"
"""The folder of kwok's descriptions of what nodes and pods do."""

_STAGES = (
    "node/fast/node-initialize.yaml",
    "node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
    "pod/fast/pod-ready.yaml",
    "pod/fast/pod-delete.yaml",
)


def kubernetes_version() -> str:
    """Return the version of Kubernetes, without its v."""
    return pinned_version(MODULE, _KUBERNETES)


def build() -> None:
    """Build the programs that are missing, and copy kwok's stages.

    Raises GoMissingError if Go is missing, and subprocess.CalledProcessError if a build fails.
    """
    missing = [program for program in PROGRAMS if not program.path.exists()]
    if missing:
        names = ", ".join(program.name for program in missing)
        click.echo(f"building {names}: once, for 10 to 30 minutes on two cores")
    for program in missing:
        go_build(MODULE, program.module + program.package, program.path, *_options())
    STAGES.mkdir(exist_ok=True)
    for stage in _STAGES:
        copy = STAGES / Path(stage).name
        if not copy.exists():
            copy.write_text(_stage(stage))


def _options() -> Iterator[str]:
    """Yield what makes the programs small, and lets those of Kubernetes know their version."""
    yield "-trimpath"
    yield f"-ldflags=-s -w -X k8s.io/component-base/version.gitVersion=v{kubernetes_version()}"


def _stage(stage: str) -> str:
    """Return a stage from the sources of kwok."""
    command = ["go", "list", "-mod=readonly", "-m", "-f", "{{.Dir}}", _KWOK]
    listed = subprocess.run(command, cwd=MODULE, check=True, stdout=subprocess.PIPE, text=True)
    return (Path(listed.stdout.strip()) / "kustomize" / "stage" / stage).read_text()
