"""The parts that commands share: options, and the group for commands that compile."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from battlesnake_search.common import completion
from battlesnake_search.common.cli import variable_option, with_options
from battlesnake_search.common.types import CommandT

if TYPE_CHECKING:
    from searcher.interface import StrategyChoice


class CompilingGroup(click.Group):
    """A group of commands. They end with one line if they need a compiler that is not installed."""

    def invoke(self, context: click.Context) -> object:
        """Run the given command."""
        try:
            return super().invoke(context)
        except RuntimeError as error:
            # Only the error needs the engine.
            from searcher.engine.jit.emission import CompilerMissingError

            if isinstance(error, CompilerMissingError):
                raise click.ClickException(f"code is missing: {error}") from error
            raise


def limit_options(default_time: str = "", default_nodes: str = "") -> Callable[[CommandT], CommandT]:
    """Return a decorator that adds the options. The defaults are texts for the help."""
    positive = click.IntRange(1)
    return with_options(
        click.option(
            "--time",
            "milliseconds",
            type=positive,
            show_default=default_time or False,
            help="Milliseconds of search.",
        ),
        click.option("--depth", type=positive, help="Depth of search in turns."),
        click.option("--nodes", type=positive, show_default=default_nodes or False, help="Nodes to search."),
    )


only_option = variable_option(
    "--only",
    multiple=True,
    metavar="SEARCH/EVALUATOR",
    shell_complete=completion.strategies,
    envvar="SEARCHER_ONLY",
    help="Offer only this strategy and those of auto. Repeat for further strategies.",
)


ahead_option = variable_option(
    "--ahead",
    multiple=True,
    metavar="SEARCH/EVALUATOR",
    shell_complete=completion.strategies,
    envvar="SEARCHER_AHEAD",
    show_default="none",
    help="Compile this strategy, as auto, before a search needs it. Repeat for further strategies. "
    "A gateway names the strategies of its snakes to its own searcher.",
)


def strategies_ahead(texts: tuple[str, ...]) -> "list[StrategyChoice]":
    """Return the known strategies of the option. A search with an unknown strategy gets the error."""
    from searcher.strategies import parse_choice

    known = []
    for text in texts:
        with suppress(ValueError):
            known.append(parse_choice(text))
    return known


def strategies(texts: tuple[str, ...]) -> "list[StrategyChoice]":
    """Return the strategies of the option. Raises click.BadParameter with the valid names."""
    from searcher.strategies import parse_choice

    try:
        return [parse_choice(text) for text in texts]
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--only") from None


weights_option = variable_option(
    "--weights",
    "weights_files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    envvar="SEARCHER_WEIGHTS",
    help="Let the weights in this file be the defaults of its evaluator. Repeat for further evaluators.",
)


def use_weights(files: tuple[Path, ...]) -> None:
    """Replace the defaults of evaluators. Raises click.BadParameter for an invalid file."""
    from searcher.strategies import replace_defaults
    from searcher.tools.weights import read_weights

    for file in files:
        try:
            found = read_weights(file)
            replace_defaults(found.evaluator, found.weights)
        except ValueError as error:
            raise click.BadParameter(f"{file}: {error}", param_hint="--weights") from None
