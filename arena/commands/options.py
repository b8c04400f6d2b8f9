"""Options, and types of options, that more than one command has."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])

EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)
EXISTING_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


class WholeNumber(click.IntRange):
    """A whole number of a range, which help calls N."""

    name = "n"


WHOLE = WholeNumber(1)


class OutputOption(click.Option):
    """-o and --output, and names of former releases, which work but are not in the help."""

    def __init__(self, *args: Any, former: Sequence[str] = (), **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self._former = former

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Make the parser accept all names."""
        super().add_to_parser(parser, ctx)
        if self._former:
            parser.add_option(self, self._former, self.name)


def output_option(
    parameter: str, former: Sequence[str] = (), **attributes: Any
) -> Callable[[_Command], _Command]:
    """Return a decorator that adds the option for the file that the command writes."""
    attributes = {"type": FILE, "metavar": "FILE", "former": former} | attributes
    return click.option("-o", "--output", parameter, cls=OutputOption, **attributes)


class LazyChoice(click.Choice[str]):
    """A choice whose values are read when they are needed, so that `--help` of other commands stays fast."""

    def __init__(self, read: Callable[[], Iterable[str]]) -> None:
        # The base class would read the values at once.
        self._read = read
        self.case_sensitive = True

    @cached_property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        """The valid values."""
        return tuple(self._read())


def _models() -> tuple[str, ...]:
    from arena.statistics.sprt import MODELS

    return MODELS


model_option = click.option(
    "--model", type=LazyChoice(_models), default="logistic", help="Kind of Elo of the test."
)


def error_rate_options(
    chance: "click.ParamType[float]",
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds the error rates of a sequential test, of this type."""
    alpha = click.option(
        "--alpha",
        type=chance,
        metavar="P",
        default=0.05,
        help="Probability of accepting ELO1 although ELO0 is true.",
    )
    beta = click.option(
        "--beta",
        type=chance,
        metavar="P",
        default=0.05,
        help="Probability of rejecting ELO1 although it is true.",
    )
    return lambda command: alpha(beta(command))
