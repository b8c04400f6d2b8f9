"""The option --weights: files of weights that replace defaults."""

from pathlib import Path

import click

weights_option = click.option(
    "--weights",
    "weights_files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    envvar="SEARCHER_WEIGHTS",
    show_envvar=True,
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
