"""Schemas of resources that Kubernetes does not have itself, from the definitions that a cluster installs.

The definitions come from pinned Go modules.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from infra.checks.tools import CannotCheckError, find_tool

Schema = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """The place of an API's definitions: a folder of a Go module.

    `group` is the prefix of its resources' versions, and `digest` the checksum of the module as in go.sum.
    """

    name: str
    group: str
    module: str
    version: str
    digest: str
    folder: str


GATEWAY_API = Source(
    "the Gateway API",
    "gateway.networking.k8s.io/",
    "sigs.k8s.io/gateway-api",
    "v1.4.0",
    "h1:ZwlNM6zOHq0h3WUX2gfByPs2yAEsy/EenYJB78jpQfQ=",
    "config/crd/standard",
)

KEDA = Source(
    "KEDA",
    "keda.sh/",
    "github.com/kedacore/keda/v2",
    "v2.21.0",
    "h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=",
    "config/crd/bases",
)

KUBERAY = Source(
    "KubeRay",
    "ray.io/",
    "github.com/ray-project/kuberay/ray-operator",
    "v1.6.2",
    "h1:XUckRswLMyk71D00L62d2Vanh0fVkNqu56+IF/rr+O0=",
    "config/crd/bases",
)

SOURCES = (GATEWAY_API, KEDA, KUBERAY)


def source_of(version: str) -> Source | None:
    """Return the source of a version such as keda.sh/v1alpha1; None if SOURCES lacks it."""
    return next((source for source in SOURCES if version.startswith(source.group)), None)


@cache
def schemas(source: Source) -> dict[tuple[str, str], Schema]:
    """Return all schemas of a source by version and kind, closed to unknown fields.

    Raises CannotCheckError if they can't be downloaded.
    """
    return dict(_schemas(source))


def _schemas(source: Source) -> Iterator[tuple[tuple[str, str], Schema]]:
    for file in sorted((module_folder(source) / source.folder).glob("*.yaml")):
        definition = yaml.load(file.read_text(), yaml.CSafeLoader)["spec"]
        for version in definition["versions"]:
            place = f"{definition['group']}/{version['name']}", definition["names"]["kind"]
            yield place, closed(version["schema"]["openAPIV3Schema"])


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


def module_folder(source: Source) -> Path:
    """Return the folder of the module, downloaded if needed. Raises CannotCheckError."""
    go = find_tool("go", "install it, on Debian and Ubuntu as golang-go")
    module = f"{source.module}@{source.version}"
    # Skip the public checksum database, because the digest of the source is checked instead.
    settings = {"GO111MODULE": "on", "GONOSUMDB": "*", "GOFLAGS": "-mod=mod"}
    command = [go, "mod", "download", "-json", module]
    download = subprocess.run(command, cwd="/", env=os.environ | settings, capture_output=True, text=True)
    if download.returncode:
        raise CannotCheckError(
            f"{module} can't be downloaded: {(download.stderr or download.stdout).strip()}"
        )
    about = json.loads(download.stdout)
    if about["Sum"] != source.digest:
        raise CannotCheckError(f"{module} has the checksum {about['Sum']}, not {source.digest}")
    return Path(about["Dir"])
