"""A program with KEDA's scaler for the trigger metrics-api, built with Go and kept in `.cache`."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.checks.custom_resources import KEDA, module_folder
from tests.support.go_build import CACHE, go_build

PROGRAM = Path(__file__).parent / "metrics_api" / "main.go"

_SCALER = ("metrics_api_scaler.go", "scaler.go")
"""The files of KEDA's package of scalers that are built. The others need the libraries of many clouds."""

_CONSTANT = 'package scalers\n\nconst externalMetricType = "External"\n'
"""All that the scaler takes from the other files of its package."""


def build_metrics_api() -> Path:
    """Return the path of the program; build it on the first call.

    Raises CannotCheckError if KEDA's sources can't be downloaded, and subprocess.CalledProcessError if the
    build fails.
    """
    digest = hashlib.sha256(PROGRAM.read_bytes()).hexdigest()[:8]
    binary = CACHE / f"keda-{KEDA.version}" / f"metrics-api-{digest}"
    if not binary.exists():
        source = module_folder(KEDA)
        with TemporaryDirectory() as folder:
            for file in _sources(source):
                _copy(file, Path(folder) / file.relative_to(source))
            (Path(folder) / "pkg" / "scalers" / "constant.go").write_text(_CONSTANT)
            _copy(PROGRAM, Path(folder) / "cmd" / "metrics-api" / "main.go")
            go_build(Path(folder), "./cmd/metrics-api", binary, "-ldflags=-s -w")
    return binary


def _sources(module: Path) -> Iterator[Path]:
    yield from (module / "go.mod", module / "go.sum")
    for folder in ("apis", "pkg", "version"):
        for file in (module / folder).rglob("*.go"):
            if file.parent.name != "scalers" or file.name in _SCALER:
                yield file


def _copy(file: Path, copy: Path) -> None:
    # Files of Go's module cache are read-only.
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, copy)
