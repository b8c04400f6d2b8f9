"""A file of settings: TOML with a table for each command, whose keys are the names of its options.

A value on the command line takes precedence over the environment, and the environment over the file. The
command `config check` checks a file, and the environment's variables, without running anything.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import click

from battlesnake_search.common.cli import nearest, variable_option
from battlesnake_search.common.types import CommandT, Json

VARIABLE = "BATTLESNAKE_CONFIG"
"""The environment variable that names the file, for this process and its child processes."""

PACKAGES = ("gateway", "searcher", "console", "arena")


def config_option(package: str) -> Callable[[CommandT], CommandT]:
    """Return the option --config of a package's command line, for the file's table of that name."""

    def load(context: click.Context, _option: click.Parameter, file: Path | None) -> None:
        if file is None:
            return
        problems: list[str] = []
        found = parameters_of(context.command, read_config(file).get(package, {}), package, problems)
        for problem in problems:
            raise click.BadParameter(f"{file}: {problem}")
        context.default_map = {**(context.default_map or {}), **found}
        os.environ[VARIABLE] = str(file.absolute())

    return variable_option(
        "--config",
        type=click.Path(path_type=Path),
        is_eager=True,
        expose_value=False,
        callback=load,
        envvar=VARIABLE,
        metavar="FILE",
        help=f"TOML file with settings of [{package}] and of its commands; options and variables come first.",
    )


def read_config(file: Path) -> Json:
    """Return the tables of a file by their names.

    Raises BadParameter, which names the file, if the file is missing or is not TOML.
    """
    # Only commands with such a file wait for this import.
    from battlesnake_search.common import toml

    try:
        tables: Json = toml.read(file, dict)
    except toml.TomlError as error:
        raise click.BadParameter(f"{file}: {error}") from error
    for name in tables:
        if name not in PACKAGES:
            raise click.BadParameter(f"{file}: {name}: no such table{_near(name, PACKAGES)}")
    return tables


def parameters_of(command: click.Command, settings: object, path: str, problems: list[str]) -> Json:
    """Return settings of a command and its subcommands as click's default_map.

    Adds the problems of the settings, each with its path of keys.
    """
    if not isinstance(settings, Mapping):
        problems.append(f"{path}: expected a table")
        return {}
    context, found = click.Context(command), {}
    options = {_key_of(option): option for option in _options(command)}
    for key, value in settings.items():
        # A key that names both an option and a command is the option.
        if option := options.get(key):
            if reason := _refusal(option, value, context):
                problems.append(f"{path}.{key}: {reason}")
            found[option.name or ""] = value
        elif child := _command_below(command, context, key):
            found[key] = parameters_of(child, value, f"{path}.{key}", problems)
        else:
            below = command.list_commands(context) if isinstance(command, click.Group) else []
            problems.append(f"{path}.{key}: no such option{_near(key, [*options, *below])}")
    return found


def _command_below(command: click.Command, context: click.Context, name: str) -> click.Command | None:
    return command.get_command(context, name) if isinstance(command, click.Group) else None


def _options(command: click.Command) -> list[click.Option]:
    return [
        each
        for each in command.params
        if isinstance(each, click.Option) and each.expose_value and each.name != "config"
    ]


def _key_of(option: click.Option) -> str:
    return max(option.opts, key=len).lstrip("-")


def _refusal(option: click.Option, value: object, context: click.Context) -> str:
    """Return the reason why an option refuses a value, empty if the value is valid."""
    if isinstance(value, Mapping):
        return "expected a value, got a table"
    given = [str(each) for each in value] if isinstance(value, list) else value
    try:
        option.process_value(context, given if isinstance(given, list | bool) else str(given))
    except click.UsageError as error:
        return error.message
    return ""


def _near(name: str, names: Iterable[str]) -> str:
    names = sorted(names)
    near = nearest(name, names)
    return f"; did you mean {near}?" if near else f"; there are {', '.join(names)}"


def environment_problems(command: click.Command) -> Iterator[str]:
    """Yield the problems of the environment's variables for a command and its subcommands."""
    context = click.Context(command)
    for option in _options(command):
        value = option.value_from_envvar(context)
        if value is not None and (reason := _refusal(option, value, context)):
            yield f"{option.envvar}: {reason}"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if child := _command_below(command, context, name):
                yield from environment_problems(child)
