"""Parts of every command line: options, groups of commands, tables, the signals that end a service."""

import signal
import sys
from collections.abc import Callable, Iterable
from datetime import date
from functools import reduce
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from battlesnake_search.common.types import CommandT, OptionValue

if TYPE_CHECKING:
    import asyncio

    from battlesnake_search.common.console import Console

# Errors and help name these types. Click calls them "integer range" and "float range".
click.IntRange.name, click.FloatRange.name = "integer", "number"

CONTEXT: dict[str, Any] = {"show_default": True, "help_option_names": ["-h", "--help"]}
"""The context settings of a command or of a whole group: -h, and help that shows defaults."""


def with_options(*options: Callable[..., Any]) -> Callable[[CommandT], CommandT]:
    """Return a decorator that adds options to a command, in the order of the help."""
    return lambda command: reduce(lambda decorated, option: option(decorated), reversed(options), command)


def variable_option(*names: str, envvar: str, **attributes: Any) -> Callable[[CommandT], CommandT]:
    """Return a decorator that adds an option with an environment variable, which the help names."""
    return click.option(*names, envvar=envvar, show_envvar=True, **attributes)


def reading(read: Callable[[str], object]) -> Callable[..., Any]:
    """Return the callback of an option whose text `read` converts. An option without a value stays None.

    A ValueError of `read` becomes a usage error that names the option.
    """

    def convert(_context: click.Context, _option: click.Parameter, text: str | None) -> object:
        try:
            return text if text is None else read(text)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error

    return convert


def examples(*commands: str) -> str:
    """Return the epilogue of a command's help, with examples shown line by line."""
    return "\b\nExamples:\n" + "\n".join(f"  {command}" for command in commands)


version_option = click.version_option(package_name="battlesnake-search", message="%(prog)s %(version)s")
"""The option --version."""


_SOURCES = (
    ParameterSource.DEFAULT,
    ParameterSource.DEFAULT_MAP,
    ParameterSource.ENVIRONMENT,
    ParameterSource.COMMANDLINE,
)
"""The sources of a value, in ascending precedence. The map of defaults is the file of settings."""


def inherited(context: click.Context, name: str, own: OptionValue) -> OptionValue:
    """Return a parameter's value from a parent command, or else the command's `own` value.

    The value with the higher source in _SOURCES takes precedence. If both values have the same source, the
    command's own value does, unless it is a default.
    """
    above = context.parent
    while above and name not in above.params:
        above = above.parent
    if above is None or 0 < _precedence(context, name) >= _precedence(above, name):
        return own
    return above.params[name]


def _precedence(context: click.Context, name: str) -> int:
    return _SOURCES.index(context.get_parameter_source(name) or ParameterSource.DEFAULT)


class SuggestingGroup(click.Group):
    """A group. An unknown command is a usage error that names the most similar command."""

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name, and the arguments after it."""
        name = arguments[0]
        if not name.startswith("-") and self.get_command(context, name) is None:
            near = nearest(name, self.list_commands(context))
            hint = f" Did you mean {near!r}?" if near else ""
            context.fail(f"No such command {name!r}.{hint}")
        return super().resolve_command(context, arguments)


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the most similar of `names` to a name; None if none is similar."""
    # Only mistakes wait for this import.
    import difflib

    return next(iter(difflib.get_close_matches(name, list(names), 1)), None)


def in_words(error: Exception) -> str:
    """Return the text of an error; of a system error about a file, the file and the reason."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun. The noun is in the plural unless the number is 1."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def table_console(width: int, **settings: Any) -> "Console":
    """Return a console as wide as the terminal; without a terminal, of this many columns.

    Brackets in a text are no markup, because names and digests may have them.
    """
    # Import rich here, because only commands that print tables need it.
    from battlesnake_search.common.console import Console

    return Console(width=None if sys.stdout.isatty() else width, markup=False, **settings)


def echo_document(document: bytes, nl: bool = True) -> None:
    """Print a document in UTF-8, unchanged for a program. On a terminal, control characters are escaped."""
    click.echo(document.decode(errors="replace") if sys.stdout.isatty() else document, nl=nl)


def stopping() -> "asyncio.Future[None]":
    """Return a future of the running event loop that is done once SIGTERM or SIGINT arrives."""
    # Only commands that serve wait for this import.
    import asyncio

    loop = asyncio.get_running_loop()
    received: asyncio.Future[None] = loop.create_future()

    def receive() -> None:
        if not received.done():
            received.set_result(None)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, receive)
    return received


FORMATS = ("text", "json")
LEVELS = ("debug", "info", "warning", "error")


class _Format(click.Choice[str]):
    """One of FORMATS; `console` is another word for text."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        """Return the format that a word names."""
        return "text" if choice == "console" else super().normalize_choice(choice, ctx)


def log_options(command: CommandT) -> CommandT:
    """Add --log-level and --log-format to a command, as its parameters `log_level` and `log_format`."""
    level = variable_option(
        "--log-level",
        type=click.Choice(LEVELS, case_sensitive=False),
        default="info",
        envvar="LOG_LEVEL",
        help="Least severe events to log.",
    )
    form = variable_option(
        "--log-format",
        type=_Format(FORMATS),
        default=lambda: "text" if sys.stderr.isatty() else "json",
        show_default="text on a terminal, else json",
        envvar="LOG_FORMAT",
        help="Format of the log on standard error.",
    )
    return level(form(command))


_ENTRY = """[[tokens]]
name = "{name}"
digest = "{digest}"
# revoked = true
# expires = {year}-12-31          # the first day, in UTC, on which the token is refused
"""

_LIMITS = """# calls_per_second = 20.0
# searches_at_once = 4
# longest_search = 1.0          # seconds
"""


_USE = """
This is the token. It is shown only now. Save it in a file, and give the file to the caller:
--searcher-token FILE for a gateway, or the metadata "authorization: Bearer TOKEN".
"""

_PASSWORD = """
This is the token. It is shown only now. In a browser, the name is {name}, and the password is the token or
its part after the point. A program sends the header "Authorization: Bearer TOKEN".
"""


def token_command(*, has_limits: bool) -> click.Command:
    """Return the command of a service; `has_limits`: whether its tokens may have limits."""
    entry = _ENTRY + _LIMITS if has_limits else _ENTRY

    @click.command()
    @click.argument("name")
    def token(name: str) -> None:
        """Make a token for the caller NAME.

        Prints its entry for the file of tokens, which holds no more than a digest. The token itself is on
        standard error, this once: `token NAME >> FILE` adds a caller and shows what to give it.
        """
        # Other commands of the same line would wait for this import.
        from battlesnake_search.common.access import new_token

        try:
            text, made = new_token(name)
        except ValueError as error:
            raise click.BadParameter(f"{name!r}: {error}", param_hint="NAME") from error
        click.echo(entry.format(name=made.name, digest=made.digest, year=date.today().year + 1), nl=False)
        click.echo(text, err=True)
        # A file of this output must hold the token alone.
        if sys.stderr.isatty():
            click.echo(_USE if has_limits else _PASSWORD.format(name=name), err=True)

    return token
