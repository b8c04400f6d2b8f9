"""Schemas of the Gateway API: the definitions that a cluster installs, from the Go module, pinned."""

import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from infra.checks.tools import find_tool

GROUP = "gateway.networking.k8s.io/"

VERSION, DIGEST = "v1.4.0", "h1:ZwlNM6zOHq0h3WUX2gfByPs2yAEsy/EenYJB78jpQfQ="
"""The module's version, and the checksum of its sources as go.sum has it."""

CACHE = Path(__file__).parents[2] / ".cache"

Schema = dict[str, Any]


class WrongSourcesError(RuntimeError):
    """What was fetched is not what is pinned."""


def schema(version: str, kind: str) -> Schema | None:
    """What an object of this kind has to be, with no other fields. None: there is no such kind."""
    return _schemas().get((version, kind))


@cache
def _schemas() -> dict[tuple[str, str], Schema]:
    schemas = {}
    for file in sorted(_definitions().glob("*.yaml")):
        definition = yaml.load(file.read_text(), yaml.CSafeLoader)
        for version in definition["spec"]["versions"]:
            kind = definition["spec"]["names"]["kind"]
            schemas[f"{GROUP}{version['name']}", kind] = closed(version["schema"]["openAPIV3Schema"])
    return schemas


def closed(schema: Any) -> Any:
    """The schema with every object closed to unknown fields, which a cluster would drop without a word."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: closed(part) for name, part in schema.items()}
    is_object = isinstance(schema.get("properties"), dict) and schema.get("type") == "object"
    if is_object and "additionalProperties" not in schema:
        result["additionalProperties"] = False
    return result


def _definitions() -> Path:
    """The definitions' folder, fetched on the first call. Raises MissingToolError, WrongSourcesError."""
    folder = CACHE / f"gateway-api-{VERSION}"
    if not folder.exists():
        unfinished = folder.with_suffix(f".{os.getpid()}")
        shutil.copytree(_module() / "config" / "crd" / "standard", unfinished)
        unfinished.rename(folder)
    return folder


def _module() -> Path:
    command = [find_tool("go"), "mod", "download", "-json", f"sigs.k8s.io/gateway-api@{VERSION}"]
    # The checksum below takes the place of the public database of checksums.
    settings = {"GO111MODULE": "on", "GONOSUMDB": "*", "GOFLAGS": "-mod=mod"}
    found = subprocess.run(
        command, cwd="/", env=os.environ | settings, check=True, capture_output=True, text=True
    )
    module = json.loads(found.stdout)
    if module["Sum"] != DIGEST:
        raise WrongSourcesError(f"sigs.k8s.io/gateway-api@{VERSION} is {module['Sum']}, not {DIGEST}")
    return Path(module["Dir"])
