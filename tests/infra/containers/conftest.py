"""The images of the project, built and run by Podman."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from searcher.engine.jit.code_cache import TARGET, cache_root
from tests.support.machine_lock import locked
from tests.support.podman import BASE, Podman, make_base, require_podman
from tests.support.services import DEFAULT, ROOT

FOLDER = ROOT / ".cache" / "containers"

SETTINGS_OF_PIP = ("/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
"""The files that pip needs in a build where this machine reaches packages only by way of a proxy."""

BUILT_WITHIN = 900.0
"""Seconds for an image, with all downloads."""


def build_options() -> Iterator[str]:
    """Yield options for builds: only the default strategy, which the test run has compiled already."""
    yield from (
        "--network=host",
        f"--env=SEARCHER_ONLY={DEFAULT}",
        f"--volume={cache_root()}:/build/compiled",
    )
    yield from (f"--volume={file}:{file}:ro" for file in SETTINGS_OF_PIP if Path(file).exists())


def build(podman: Podman) -> None:
    """Build the images as users do, but on a base of Debian's packages and for this machine alone."""
    make_base(podman)
    arguments = (f"--build-arg=PYTHON={BASE}", f"--build-arg=CPU={TARGET}", *build_options())
    for name in ("snake", "searcher", "gateway", "console"):
        file = f"infra/containers/{name}.Dockerfile"
        command = ["podman", "build", "--format=docker", f"--file={file}", f"--tag=battlesnake-{name}"]
        subprocess.run(
            [*command, *arguments, "."], cwd=ROOT, env=podman.environment, check=True, timeout=BUILT_WITHIN
        )


@pytest.fixture(scope="session")
def podman(testrun_uid: str, compiled: None) -> Podman:
    """Return a Podman that has the images of the container files."""
    require_podman()
    engine = Podman(FOLDER, Path(__file__).with_name("containers.conf"))
    built = FOLDER / "built"
    with locked(FOLDER / "lock"):
        if not built.exists() or built.read_text() != testrun_uid:
            build(engine)
            built.write_text(testrun_uid)
    return engine
