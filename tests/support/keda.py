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

_OWN_METRICS = "metricscollector"
"""KEDA's package of metrics about itself, which needs OpenTelemetry and gRPC."""

_TEST_REPORTER = "ginkgo_reporter.go"

_REPLACED = {
    "scalers/constant.go": 'package scalers\n\nconst externalMetricType = "External"\n',
    f"{_OWN_METRICS}/none.go": """
package metricscollector

import "net/http"

type CloseableRoundTripper interface {
	http.RoundTripper
	CloseIdleConnections()
}

func NewInstrumentedRoundTripper(next *http.Transport) http.RoundTripper { return next }

func NewInstrumentedRoundTripperWithCloseIdleConnections(next *http.Transport) CloseableRoundTripper {
	return next
}
""",
}
"""All that the scaler takes from files that are left out, by the file of KEDA's folder `pkg`."""


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
            for name, text in _REPLACED.items():
                file = Path(folder) / "pkg" / name
                file.parent.mkdir(exist_ok=True)
                file.write_text(text)
            _copy(PROGRAM, Path(folder) / "cmd" / "metrics-api" / "main.go")
            # No optimization, which takes a third of the time, and no symbols.
            options = ("-gcflags=all=-N -l", "-ldflags=-s -w")
            go_build(Path(folder), "./cmd/metrics-api", binary, *options)
    return binary


def _sources(module: Path) -> Iterator[Path]:
    yield from (module / "go.mod", module / "go.sum")
    for folder in ("apis", "pkg", "version"):
        for file in (module / folder).rglob("*.go"):
            package, name = file.parent.name, file.name
            is_left_out = package == _OWN_METRICS or name == _TEST_REPORTER or name.endswith("_test.go")
            if not is_left_out and (package != "scalers" or name in _SCALER):
                yield file


def _copy(file: Path, copy: Path) -> None:
    # Files of Go's module cache are read-only.
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, copy)
