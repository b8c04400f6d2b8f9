"""Schemas of the Gateway API: the definitions that a cluster installs, from the pinned Go module."""

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
"""The version of the module, and the checksum of its sources as in go.sum."""

CACHE = Path(__file__).parents[2] / ".cache"

Schema = dict[str, Any]


def schema(version: str, kind: str) -> Schema | None:
    """Return the schema of a kind, closed to unknown fields; None if there is no such kind."""
    return schemas().get((version, kind))


@cache
def schemas() -> dict[tuple[str, str], Schema]:
    """Return all schemas by version and kind."""
    found = {}
    for file in sorted(_definitions().glob("*.yaml")):
        definition = yaml.load(file.read_text(), yaml.CSafeLoader)
        for version in definition["spec"]["versions"]:
            kind = definition["spec"]["names"]["kind"]
            found[f"{GROUP}{version['name']}", kind] = closed(version["schema"]["openAPIV3Schema"])
    return found


def closed(schema: Any) -> Any:
    """Return the schema with every object closed to unknown fields, which a cluster would silently drop."""
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
    """Return the folder of the definitions; download them on the first call or raise CannotCheckError."""
    folder = CACHE / f"gateway-api-{VERSION}"
    if not folder.exists():
        unfinished = folder.with_suffix(f".{os.getpid()}")
        shutil.copytree(_module() / "config" / "crd" / "standard", unfinished)
        unfinished.rename(folder)
    return folder


def _module() -> Path:
    go = find_tool("go", "install it, on Debian and Ubuntu as golang-go")
    module = f"sigs.k8s.io/gateway-api@{VERSION}"
    # The checksum below replaces the public checksum database.
    settings = {"GO111MODULE": "on", "GONOSUMDB": "*", "GOFLAGS": "-mod=mod"}
    command = [go, "mod", "download", "-json", module]
    download = subprocess.run(command, cwd="/", env=os.environ | settings, capture_output=True, text=True)
    if download.returncode:
        raise CannotCheckError(
            f"{module} can't be downloaded: {(download.stderr or download.stdout).strip()}"
        )
    about = json.loads(download.stdout)
    if about["Sum"] != DIGEST:
        raise CannotCheckError(f"{module} has the checksum {about['Sum']}, not {DIGEST}")
    return Path(about["Dir"])
