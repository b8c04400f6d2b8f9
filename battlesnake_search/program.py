"""All commands as one: battlesnake-search, or python -m battlesnake_search.program in a checkout."""

import sys
from copy import copy
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import click

from battlesnake_search.common.cli import CONTEXT, SuggestingGroup, version_option
from battlesnake_search.common.config import (
    PACKAGES,
    VARIABLE,
    environment_problems,
    parameters_of,
    read_config,
)
from battlesnake_search.common.launch import EXTRAS, launch

_MODULE = "battlesnake_search.program"


class _Listed(NamedTuple):
    """A command: its module, its name in the module, and its line in the help."""

    module: str
    attribute: str
    help: str


_COMMANDS = MappingProxyType(
    {
        "arena": _Listed(
            "arena.commands.main",
            "main",
            "Measure whether one Battlesnake is stronger than another.",
        ),
        "bundle": _Listed(
            "searcher.commands.bundle", "bundle", "Make a folder with a snake for a machine without Python."
        ),
        "completion": _Listed(_MODULE, "completion", "Print what completes commands in a shell."),
        "config": _Listed(_MODULE, "config", "Check a file of settings, and the environment."),
        "console": _Listed(
            "console.commands.main", "main", "Record games, and show them with their searches."
        ),
        "gateway": _Listed(
            "gateway.commands.main", "main", "Serve the Battlesnake API with moves from a searcher."
        ),
        "new": _Listed("searcher.commands.new", "new", "Make a package with an evaluator of your own."),
        "play": _Listed("gateway.commands.play", "play", "Serve a snake, and show its games in a browser."),
        "searcher": _Listed(
            "searcher.commands.main",
            "main",
            "Search Battlesnake positions for the best move.",
        ),
    }
)


def load_command(name: str) -> click.Command:
    """Return a command of this program. Raises ModuleNotFoundError if a package for it is missing."""
    listed = _COMMANDS[name]
    command: click.Command = getattr(import_module(listed.module), listed.attribute)
    return command


class _Untyped(click.Context):
    """The context of a group whose name the user did not type. Usage lines leave the name out."""

    @property
    def command_path(self) -> str:
        """The words that the user typed before the command of this group."""
        assert self.parent is not None
        return self.parent.command_path


class _Program(SuggestingGroup):
    """The group of all commands. It lists them without importing them.

    `play` is the gateway's command of that name, with the gateway's file of settings.
    """

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted(_COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a command; None for an unknown one."""
        return load_command(name) if name in _COMMANDS else None

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name, and the arguments after it."""
        if arguments[0] != "play":
            return super().resolve_command(context, arguments)
        name, found, arguments = super().resolve_command(context, ["gateway", *arguments])
        gateway = copy(found)
        assert gateway is not None
        gateway.context_class = _Untyped
        return name, gateway, arguments

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, listed.help) for name, listed in sorted(_COMMANDS.items())])


@click.group(cls=_Program, context_settings=CONTEXT)
@version_option
def main() -> None:
    """Play Battlesnake with a search.

    \b
    battlesnake-search play                   serves a snake and shows its games
    battlesnake-search searcher serve         serves searches over gRPC
    battlesnake-search console games          lists the recorded games
    battlesnake-search arena match A B        compares two strategies
    battlesnake-search bundle FOLDER          makes an entrant for a tournament
    """


_SHELLS = ("bash", "zsh", "fish")
_PROGRAMS = tuple(f"battlesnake-{name}" for name in ("search", "gateway", "searcher", "console", "arena"))


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
def completion(shell: str) -> None:
    """Print the script that completes this package's commands in a shell.

    \b
    bash: eval "$(battlesnake-search completion bash)"   in ~/.bashrc
    zsh:  eval "$(battlesnake-search completion zsh)"    in ~/.zshrc
    fish: battlesnake-search completion fish > ~/.config/fish/completions/battlesnake-search.fish
    """
    from click.shell_completion import get_completion_class

    completes = get_completion_class(shell)
    assert completes is not None
    for program in _PROGRAMS:
        variable = f"_{program.replace('-', '_').upper()}_COMPLETE"
        # `source()` would start bash to read its version.
        shown = completes(click.Command(program), {}, program, variable)
        click.echo(shown.source_template % shown.source_vars())


@click.group()
def config() -> None:
    """Check a file of settings, and the environment."""


@config.command()
@click.argument("file", type=click.Path(path_type=Path), envvar=VARIABLE, required=False)
def check(file: Path | None) -> None:
    """Check a FILE of settings, and the environment variables of all options.

    Without a FILE, the file named by BATTLESNAKE_CONFIG is checked. Each problem is a line. With a problem,
    the exit code is 1. `battlesnake-search gateway check` says whether a gateway with these settings would
    work.
    """
    commands = {name: load_command(name) for name in PACKAGES}
    problems = [problem for command in commands.values() for problem in environment_problems(command)]
    if file:
        found: list[str] = []
        try:
            for name, settings in read_config(file).items():
                parameters_of(commands[name], settings, name, found)
        except click.BadParameter as error:
            problems.append(error.message)
        problems += [f"{file}: {problem}" for problem in found]
    for problem in dict.fromkeys(problems):
        click.echo(problem)
    if problems:
        raise SystemExit(1)
    click.echo(f"{file or 'the environment'}: ok")


def run() -> None:
    """Run the command line."""
    launch(_MODULE, _MODULE, EXTRAS.get("".join(sys.argv[1:2]), ""))


if __name__ == "__main__":
    run()
