"""Schemas of the Gateway API: the definitions that a cluster installs, from the Go module, pinned."""

import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from infra.checks.tools import CannotCheckError, find_tool

GROUP = "gateway.networking.k8s.io/"

VERSION, DIGEST = "v1.4.0", "h1:ZwlNM6zOHq0h3WUX2gfByPs2yAEsy/EenYJB78jpQfQ="
"""The module's version, and the checksum of its sources as go.sum has it."""

CACHE = Path(__file__).parents[2] / ".cache"

Schema = dict[str, Any]


def schema(version: str, kind: str) -> Schema | None:
    """What an object of this kind has to be, with no other fields. None: there is no such kind."""
    return schemas().get((version, kind))


@cache
def schemas() -> dict[tuple[str, str], Schema]:
    """By version and kind."""
    found = {}
    for file in sorted(_definitions().glob("*.yaml")):
        definition = yaml.load(file.read_text(), yaml.CSafeLoader)
        for version in definition["spec"]["versions"]:
            kind = definition["spec"]["names"]["kind"]
            found[f"{GROUP}{version['name']}", kind] = closed(version["schema"]["openAPIV3Schema"])
    return found


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
    """The definitions' folder, fetched on the first call. Raises CannotCheckError."""
    folder = CACHE / f"gateway-api-{VERSION}"
    if not folder.exists():
        unfinished = folder.with_suffix(f".{os.getpid()}")
        shutil.copytree(_module() / "config" / "crd" / "standard", unfinished)
        unfinished.rename(folder)
    return folder


def _module() -> Path:
    go = find_tool("go", "install it, on Debian and Ubuntu as golang-go")
    module = f"sigs.k8s.io/gateway-api@{VERSION}"
    # The checksum below takes the place of the public database of checksums.
    settings = {"GO111MODULE": "on", "GONOSUMDB": "*", "GOFLAGS": "-mod=mod"}
    command = [go, "mod", "download", "-json", module]
    found = subprocess.run(command, cwd="/", env=os.environ | settings, capture_output=True, text=True)
    if found.returncode:
        raise CannotCheckError(f"{module} can't be had: {(found.stderr or found.stdout).strip()}")
    about = json.loads(found.stdout)
    if about["Sum"] != DIGEST:
        raise CannotCheckError(f"{module} is {about['Sum']}, not {DIGEST}")
    return Path(about["Dir"])
