"""The option --only: the strategies to offer."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from searcher.interface import StrategyChoice

only_option = click.option(
    "--only",
    multiple=True,
    metavar="SEARCH/EVALUATOR",
    envvar="SEARCHER_ONLY",
    show_envvar=True,
    help="Offer only this strategy and those of auto. Repeat for further strategies.",
)


def strategies(texts: tuple[str, ...]) -> "list[StrategyChoice]":
    """Return the strategies of the option. Raises click.BadParameter, which lists the valid names."""
    from searcher.strategies import parse_choice

    try:
        return [parse_choice(text) for text in texts]
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--only") from None
