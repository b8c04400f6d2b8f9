"""Options, and types of options, that more than one command has."""

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

import click

WHOLE = click.IntRange(1)
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)


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


model_option = click.option("--model", type=LazyChoice(_models), default="logistic", help="Kind of Elo.")


def error_rate_options(
    chance: click.ParamType[float],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds the error rates of a sequential test, of this type."""
    alpha = click.option(
        "--alpha", type=chance, default=0.05, help="Probability of accepting ELO1 although ELO0 is true."
    )
    beta = click.option(
        "--beta", type=chance, default=0.05, help="Probability of rejecting ELO1 although it is true."
    )
    return lambda command: alpha(beta(command))
