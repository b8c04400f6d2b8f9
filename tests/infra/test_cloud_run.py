"""The service files of Cloud Run, checked against its API description and the actual services."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import googleapiclient
import pytest
import yaml
from jsonschema import Draft202012Validator

from battlesnake_search.searcher_client import SERVICE
from gateway import readiness

FOLDER = Path(__file__).parents[2] / "infra" / "cloud-run"
FILES = sorted(path.name for path in FOLDER.glob("*.yaml"))

API = Path(googleapiclient.__file__).parent / "discovery_cache" / "documents" / "run.v1.json"


def _schema(described: Any) -> Any:
    """Convert a description of Google's discovery service into a JSON schema without additional fields."""
    if isinstance(described, list):
        return [_schema(each) for each in described]
    if not isinstance(described, dict):
        return described
    schema = {
        key: _schema(value) for key, value in described.items() if key in ("type", "items", "properties")
    }
    if isinstance(described.get("properties"), dict):
        schema["properties"] = {name: _schema(each) for name, each in described["properties"].items()}
        schema["additionalProperties"] = False
    if isinstance(described.get("additionalProperties"), dict):
        schema["additionalProperties"] = _schema(described["additionalProperties"])
    if "$ref" in described:
        schema["$ref"] = f"#/$defs/{described['$ref']}"
    return schema


@cache
def _validator() -> Draft202012Validator:
    schemas = json.loads(API.read_bytes())["schemas"]
    definitions = {name: _schema(each) for name, each in schemas.items()}
    return Draft202012Validator({"$ref": "#/$defs/Service", "$defs": definitions})


def _complaints(service: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in _validator().iter_errors(service)]


def _service(file: str) -> Any:
    return yaml.safe_load((FOLDER / file).read_text())


@pytest.mark.parametrize("file", FILES)
def test_a_service_matches_the_api(file: str) -> None:
    """Every field is known to Cloud Run and has the right type, and the traffic adds up to 100 %."""
    service = _service(file)
    assert _complaints(service) == []
    assert sum(share.get("percent", 0) for share in service["spec"]["traffic"]) == 100


def test_a_wrong_field_is_found() -> None:
    """An unknown field and a field of the wrong type are found."""
    service = _service(FILES[0])
    container = service["spec"]["template"]["spec"]["containers"][0]
    container["startUpProbe"] = {}
    container["livenessProbe"]["periodSeconds"] = "10"
    assert len(_complaints(service)) == 2


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
