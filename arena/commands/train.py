"""`python -m arena train`: trains a net on games, and writes it as an evaluator's package."""

from pathlib import Path

import click

from arena.commands.common import (
    EXISTING_FOLDER,
    FILE,
    WHOLE,
    WholeNumber,
    lambda_option,
    print_parts,
    working,
)
from battlesnake_search.common.cli import examples, in_words
from battlesnake_search.common.launch import as_typed, pip_install

_LINEAR = "fitted"
"""The evaluator with which a net is compared."""


@click.command(
    epilog=examples(
        "python -m arena train duels fours --output my-net --name mynet",
    )
)
@click.argument("data", nargs=-1, required=True, type=EXISTING_FOLDER)
@click.option(
    "--output",
    "-o",
    "out",
    required=True,
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write the package.",
)
@click.option("--name", default="net", help="The evaluator's name.")
@click.option("--units", type=WholeNumber(1, 64), default=16, help="Hidden units.")
@click.option("--epochs", type=WHOLE, default=10, help="Passes over all positions.")
@lambda_option(0.95)
@click.option("--licence", default="MIT", help="The licence of the weights, as an SPDX identifier.")
@click.option("--page", type=FILE, metavar="PAGE.html", help="Draw the training as a page.")
def train(
    data: tuple[Path, ...],
    out: Path,
    name: str,
    units: int,
    epochs: int,
    decay: float,
    licence: str,
    page: Path | None,
) -> None:
    """Train a net on games, and write it as an evaluator.

    DATA are folders that `python -m arena games` has filled. The net has one hidden layer over the terms of
    the toolkit. FOLDER becomes a Python package. When it is installed beside a searcher, its evaluator plays
    in matches and on routes. Only the training needs the extra `train`.
    """
    # All imports come first: a missing package is reported before the training.
    try:
        from arena.learning.net import Course
    except ModuleNotFoundError as error:
        raise click.ClickException(_missing(error)) from None
    from arena.data.files import read_columns
    from arena.learning.net import check_name, train_net, write_package
    from arena.learning.report import net_page, net_summary
    from searcher.strategies import evaluators

    def on_epoch(games: str, epoch: int, loss: float) -> None:
        click.echo(f"{games} of the games, epoch {epoch} of {epochs}: loss {1000.0 * loss:.2f}", err=True)

    try:
        check_name(name)
        course = Course(units, epochs, decay)
        with working("Reading the games …"):
            columns = read_columns(*data)
        net = train_net(columns, evaluators()[_LINEAR], course, on_epoch)
        write_package(out, name, net, licence)
        print_parts(*net_summary(net))
        click.echo(f"Written to {out}. Install it with: {as_typed('pip')} install --editable {out}")
        if page is not None:
            page.write_text(net_page(name, net), encoding="utf-8")
            click.echo(f"Drawn to {page}.")
    except (ValueError, OSError) as error:
        raise click.ClickException(in_words(error)) from None


def _missing(error: ModuleNotFoundError) -> str:
    return (
        f"training needs the package {error.name}: {pip_install('train')}, or "
        ".venv/bin/pip install '.[train]' in a checkout"
    )
