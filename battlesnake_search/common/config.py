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


class ConfigError(ValueError):
    """An invalid file of settings."""


def config_option(package: str) -> Callable[[CommandT], CommandT]:
    """Return the option --config of a package's command line, for the file's table of that name."""

    def load(context: click.Context, _option: click.Parameter, file: Path | None) -> None:
        if file is None:
            return
        try:
            settings = read_config(file).get(package, {})
        except ConfigError as error:
            raise click.BadParameter(str(error)) from error
        for problem in problems_of(context.command, settings, package, context):
            raise click.BadParameter(f"{file}: {problem}")
        context.default_map = {**(context.default_map or {}), **_as_parameters(context.command, settings)}
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

    Raises ConfigError that names the file if it is missing or no TOML.
    """
    # Only commands with such a file wait for this import.
    import tomllib

    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: not TOML: it is no text in UTF-8") from error
    except ValueError as error:
        raise ConfigError(f"{file}: not TOML: {error}") from error
    for name in tables:
        if name not in PACKAGES:
            raise ConfigError(f"{file}: {name}: no such table{_near(name, PACKAGES)}")
    return tables


def problems_of(
    command: click.Command, settings: object, path: str, context: click.Context | None = None
) -> Iterator[str]:
    """Yield the problems of the settings of a command and its subcommands, each with its path of keys."""
    if not isinstance(settings, Mapping):
        yield f"{path}: expected a table"
        return
    context = context or click.Context(command)
    options = {_key_of(option): option for option in _options(command)}
    below = command.list_commands(context) if isinstance(command, click.Group) else []
    for key, value in settings.items():
        if key in options:
            if reason := _refusal(options[key], value, context):
                yield f"{path}.{key}: {reason}"
        elif child := _command_below(command, context, key):
            yield from problems_of(child, value, f"{path}.{key}")
        else:
            yield f"{path}.{key}: no such option{_near(key, [*options, *below])}"


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


def _as_parameters(command: click.Command, settings: Json) -> Json:
    """Return settings by the names of parameters, as click's map of defaults has them."""
    names = {_key_of(option): option.name or "" for option in _options(command)}
    context = click.Context(command)
    mapped: Json = {}
    for key, value in settings.items():
        # A key that names both an option and a command is the option, as in `problems_of`.
        child = None if key in names else _command_below(command, context, key)
        mapped[names.get(key, key)] = _as_parameters(child, value) if child else value
    return mapped


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
