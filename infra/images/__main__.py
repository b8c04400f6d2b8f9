"""Builds the images and shows how large they are: python -m infra.images [OPTIONS] [IMAGE]...

The engine is Docker or Podman. For each image there is a table of its layers, from the base up.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
from rich.table import Table

from battlesnake_search.common.cli import CONTEXT, table_console
from infra.checks.tools import CannotCheckError
from infra.images.bootstrap import make_base
from infra.images.engine import ENGINES, Engine, EngineError, find_engine
from infra.images.layers import COLUMNS, on_top, rows

ROOT = Path(__file__).parents[2]

FILES = {name: Path("infra", "containers", f"{name}.Dockerfile") for name in ("snake", "searcher", "gateway")}
"""The container file of each image."""

_COMPILED = ("snake", "searcher")
"""The images with compiled code."""

_BASE = re.compile(r"^ARG PYTHON=(\S+)", re.MULTILINE)


@click.command(context_settings=CONTEXT)
@click.argument("names", nargs=-1, metavar="[IMAGE]...", type=click.Choice(list(FILES)))
@click.option(
    "--base", metavar="IMAGE", help="The image with Python; by default the base of the container files."
)
@click.option(
    "--debootstrap",
    is_flag=True,
    help="Make that image of Debian's packages, as root, for a machine that reaches no registry.",
)
@click.option(
    "--final-base",
    metavar="IMAGE",
    help="Another base for the built image, with the same Python: a distroless image, for example.",
)
@click.option(
    "--cpu", metavar="LEVELS", help="The levels to compile for, separated by spaces; by default all."
)
@click.option("--engine", type=click.Choice(ENGINES), help="By default the first engine that works.")
@click.option(
    "--build-option",
    "more",
    multiple=True,
    metavar="OPTION",
    help="An option for the engine's build, such as --build-option=--network=host. Can be repeated.",
)
def main(
    names: Sequence[str],
    base: str | None,
    debootstrap: bool,
    final_base: str | None,
    cpu: str | None,
    engine: str | None,
    more: Sequence[str],
) -> None:
    """Build all images, or the given ones, and show their layers."""
    try:
        chosen = find_engine([engine] if engine else ENGINES)
        base = make_base(chosen) if debootstrap else base
        arguments = {"PYTHON": base, "BASE": final_base, "CPU": cpu}
        for name in names or FILES:
            chosen.run(*build_arguments(name, arguments, (*chosen.build_options, *more)))
            show(chosen, name, final_base or base or default_base(name))
    except (CannotCheckError, EngineError, ValueError) as error:
        raise click.ClickException(str(error)) from error


def tag_of(name: str) -> str:
    """Return the tag that an image gets."""
    return f"battlesnake-{name}"


def default_base(name: str) -> str:
    """Return the base that a container file names."""
    (base,) = _BASE.findall((ROOT / FILES[name]).read_text())
    return str(base)


def build_arguments(name: str, arguments: Mapping[str, str | None], options: Sequence[str]) -> Iterator[str]:
    """Yield the arguments of an engine's command for an image, with the container file's arguments."""
    yield from ("build", f"--file={ROOT / FILES[name]}", f"--tag={tag_of(name)}")
    for key, value in arguments.items():
        if value and (key != "CPU" or name in _COMPILED):
            yield f"--build-arg={key}={value}"
    yield from (*options, str(ROOT))


def show(engine: Engine, name: str, base: str) -> None:
    """Print the layers of an image. The engine must have its base."""
    if not engine.has(base):
        # Docker keeps the base of a build where `docker history` doesn't find it.
        engine.run("pull", base)
    below = engine.history(base)
    table = Table(*COLUMNS, title=tag_of(name))
    table.columns[0].justify = "right"
    for row in rows(on_top(engine.history(tag_of(name)), below), below):
        table.add_row(*row)
    table_console(110).print(table)


if __name__ == "__main__":
    main(prog_name="python -m infra.images")
