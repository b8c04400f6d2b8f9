"""The provider schemas of the resources in infra/terraform, from generated CDK Terrain packages.

    pip download --no-deps cdktn-provider-google==21.1.0 cdktn-provider-aws==25.8.1
    python -m infra.checks.provider_schemas cdktn_provider_*.whl

The command writes infra/terraform/schemas.json. The packages are too large to download for each check, and
the providers themselves come from a separate registry.
"""

import io
import json
import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from infra.checks.terraform import SCHEMAS, modules, used_types

ROOT = Path(__file__).parents[2]

_ANCHOR = re.compile(r"providers/(\w+/\w+)/([\d.]+)/docs/(resources|data-sources)/(\w+)#(\w+) ")

Types = dict[str, Any]


@click.command()
@click.argument("wheels", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def main(wheels: tuple[Path, ...]) -> None:
    """Write the schemas of all resources and data sources that the modules use."""
    used = {name for module in modules(ROOT) for name in used_types(module)}
    providers: dict[str, str] = {}
    found: dict[str, Any] = {}
    for wheel in wheels:
        types = _types(wheel)
        for config in types.values():
            name, provider, version = _described(config)
            if name in used:
                providers[provider] = version
                found[name] = {"arguments": _block(config, types), "computed": _computed(config, types)}
    if missing := used - found.keys():
        raise click.ClickException(f"no package describes {', '.join(sorted(missing))}")
    text = json.dumps({"providers": providers, "types": found}, indent=1, sort_keys=True)
    SCHEMAS.write_text(text + "\n")


def _types(wheel: Path) -> Types:
    with zipfile.ZipFile(wheel) as files:
        inner = next(name for name in files.namelist() if name.endswith(".jsii.tgz"))
        with tarfile.open(fileobj=io.BytesIO(files.read(inner))) as archive:
            assembly = archive.extractfile("package/.jsii")
            assert assembly
            types: Types = json.load(assembly)["types"]
    return types


def _described(config: dict[str, Any]) -> tuple[str, str, str]:
    """Return the resource type of a configuration, its provider and version; empty for any other type."""
    if config.get("interfaces") != ["cdktn.TerraformMetaArguments"]:
        return "", "", ""
    for found in map(_anchor, config.get("properties", ())):
        if found:
            provider, version, kind, name, _ = found.groups()
            data = "data." if kind == "data-sources" else ""
            return f"{data}{provider.rpartition('/')[2]}_{name}", provider, version
    return "", "", ""


def _block(struct: dict[str, Any], types: Types) -> dict[str, Any]:
    """Return the arguments by name: whether each is required and, for a block, its contents."""
    arguments = {}
    for argument in struct.get("properties", ()):
        inner = [types[name] for name in _structs(argument["type"]) if name in types]
        nested = {"block": _block(inner[0], types)} if inner else {}
        arguments[_name(argument)] = {"required": not argument.get("optional", False)} | nested
    return arguments


def _structs(kind: Any) -> Iterator[str]:
    """Yield the names of the structures in a type."""
    if isinstance(kind, dict):
        yield from [kind["fqn"]] if "fqn" in kind else []
        for part in kind.values():
            yield from _structs(part)
    elif isinstance(kind, list):
        for part in kind:
            yield from _structs(part)


def _computed(config: dict[str, Any], types: Types) -> list[str]:
    """Return the attributes that a resource of this type exports."""
    resource = types[config["fqn"].removesuffix("Config")]
    names = {_name(each) for each in resource.get("properties", ()) if not each.get("static")}
    # Each argument has a second property, which returns its input.
    return sorted(names - {f"{name}_input" for name in names})


def _name(each: dict[str, Any]) -> str:
    """Return the name of an argument as it is written in a module."""
    found = _anchor(each)
    return found[5] if found else re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", each["name"]).lower()


def _anchor(each: dict[str, Any]) -> re.Match[str] | None:
    docs = each.get("docs", {})
    return _ANCHOR.search(f"{docs.get('summary')} {docs.get('remarks')}")


if __name__ == "__main__":
    main(prog_name="python -m infra.checks.provider_schemas")
