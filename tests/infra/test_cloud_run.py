"""The service files of Cloud Run, checked against its API description and the actual services."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from battlesnake_search.searcher_client import SERVICE
from gateway import readiness

FOLDER = Path(__file__).parents[2] / "infra" / "cloud-run"
FILES = sorted(path.name for path in FOLDER.glob("*.yaml"))

SCHEMA = Draft202012Validator(
    json.loads((FOLDER.parents[1] / "tests" / "fixtures" / "cloud-run.schema.json").read_bytes())
)
"""The schema of a service, without additional fields."""


def _complaints(service: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in SCHEMA.iter_errors(service)]


def _service(file: str) -> Any:
    return yaml.safe_load((FOLDER / file).read_text())


@pytest.mark.parametrize("file", FILES)
def test_a_service_matches_the_api(file: str) -> None:
    """Every field is known to Cloud Run and has the right type, and the traffic adds up to 100 %."""
    service = _service(file)
    assert _complaints(service) == []
    assert sum(share.get("percent", 0) for share in service["spec"]["traffic"]) == 100


def _probes(file: str) -> Iterator[dict[str, Any]]:
    for container in _service(file)["spec"]["template"]["spec"]["containers"]:
        yield from (container[name] for name in ("startupProbe", "livenessProbe"))


@pytest.mark.parametrize("file", FILES)
def test_probes_match_the_services(file: str) -> None:
    """Probes use paths of the gateway, or the gRPC service of the searcher, which is served over HTTP/2."""
    (container,) = _service(file)["spec"]["template"]["spec"]["containers"]
    paths = {route.path for route in readiness.HANDLERS}
    for probe in _probes(file):
        if file == "searcher.yaml":
            assert probe["grpc"]["service"] == SERVICE
        else:
            assert probe["httpGet"]["path"] in paths
    assert container["ports"][0]["name"] == ("h2c" if file == "searcher.yaml" else "http1")
