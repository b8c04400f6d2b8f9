"""The overlays of infra/kubernetes on a real control plane: python -m infra.cluster [OVERLAY]...

It uses no containers: the programs run on this machine, on loopback addresses, and the nodes only pretend to
run pods. Each check prints a line. The exit code is 1 if one fails.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from infra.checks.tools import CannotCheckError
from infra.cluster.checks import CHECKS, Check, deleted
from infra.cluster.control_plane import Cluster, build, control_plane, furnish, kubernetes_version
from infra.cluster.kubectl import ClusterError
from infra.cluster.trial import Trial
from tests.support.go_build import GoMissingError
from tests.support.services import ROOT

OVERLAYS = {folder.name: folder for folder in sorted((ROOT / "infra/kubernetes/overlays").iterdir())}


@click.command()
@click.argument("names", nargs=-1, metavar="[OVERLAY]...", type=click.Choice(list(OVERLAYS)))
def main(names: Sequence[str]) -> None:
    """Apply all overlays, or the given ones, one after the other, and check their effects on a cluster."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        build()
        with TemporaryDirectory(prefix="cluster-") as folder:
            passed = _run(Path(folder), names or list(OVERLAYS))
    except (CannotCheckError, ClusterError, GoMissingError, subprocess.CalledProcessError) as error:
        click.echo(error, err=True)
        passed = False
    sys.exit(0 if passed else 1)


def _run(folder: Path, names: Sequence[str]) -> bool:
    """Return whether all overlays pass on one cluster, whose files are in a folder."""
    start = time.monotonic()
    with control_plane(folder) as cluster:
        furnish(cluster)
        click.echo(f"Kubernetes {kubernetes_version()} is up after {time.monotonic() - start:.0f} s")
        return all([_passes(cluster, name) for name in names])


def _passes(cluster: Cluster, name: str) -> bool:
    """Return whether an overlay passes; later checks need the earlier ones."""
    trial = Trial(OVERLAYS[name], cluster, cluster.folder / name)
    trial.folder.mkdir()
    passed = all(_prints(trial, label, check) for label, check in CHECKS.items())
    return _prints(trial, "delete", deleted) and passed


def _prints(trial: Trial, label: str, check: Check) -> bool:
    """Print the message of a check; return whether it passes."""
    try:
        click.echo(f"{trial.overlay.name}: {label}: {check(trial)}")
    except ClusterError as error:
        click.echo(f"{trial.overlay.name}: {label}: FAILED: {error}", err=True)
        return False
    return True


if __name__ == "__main__":
    main(prog_name="python -m infra.cluster")
