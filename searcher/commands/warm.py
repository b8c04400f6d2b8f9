"""`python -m searcher warm`: compiles all code in advance."""

import sys
from contextlib import closing
from pathlib import Path

import click

from battlesnake_search.common.cli import examples, in_words
from searcher.commands.common import only_option, strategies


@click.command(
    epilog=examples(
        "python -m searcher warm --only paranoid/area",
        "python -m searcher warm --check",
    )
)
@only_option
@click.option("--check", is_flag=True, help="Compile nothing; fail if anything is missing from the cache.")
@click.option(
    "--output", type=click.Path(path_type=Path), help="Also copy the code to this folder, as a build does."
)
def warm(only: tuple[str, ...], check: bool, output: Path | None) -> None:
    """Compile all strategies into the cache."""
    from searcher.precompile.prepare import ShownProgress, copy_code, missing_from_cache, warm_everything

    if check:
        missing = missing_from_cache(strategies(only))
        for line in missing:
            click.echo(line, err=True)
        sys.exit(1 if missing else 0)
    if output is not None:
        _make(output)
    with closing(ShownProgress()) as progress:
        found = warm_everything(progress, strategies(only))
    for fault in found:
        click.echo(fault, err=True)
    if output is not None:
        click.echo(f"{copy_code(output, strategies(only))} files of code in {output}", err=True)


def _make(folder: Path) -> None:
    """Create a folder before the code is compiled, which takes minutes. Raises click.BadParameter."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.BadParameter(in_words(error), param_hint="--output") from None
