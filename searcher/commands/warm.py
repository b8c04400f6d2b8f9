"""`python -m searcher warm`: compiles all code in advance."""

import sys
from contextlib import closing

import click

from searcher.commands.only import only_option, strategies


@click.command()
@only_option
@click.option("--check", is_flag=True, help="Compile nothing; fail if anything is missing from the cache.")
def warm(only: tuple[str, ...], check: bool) -> None:
    """Compile all strategies into the cache."""
    from searcher.precompile.progress import ShownProgress
    from searcher.precompile.warmup import missing_from_cache, warm_everything

    if check:
        missing = missing_from_cache(strategies(only))
        for line in missing:
            click.echo(line, err=True)
        sys.exit(1 if missing else 0)
    with closing(ShownProgress()) as progress:
        found = warm_everything(progress, strategies(only))
    for fault in found:
        click.echo(fault, err=True)
