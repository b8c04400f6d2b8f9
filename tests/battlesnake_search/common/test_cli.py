"""Parts of every command line."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from battlesnake_search.common.access import TokenFile
from battlesnake_search.common.cli import log_options, token_command
from battlesnake_search.program import load_command


def commands(
    command: click.Command, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield a command and all below it, each with the words that name it."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from commands(child, (*path, name))


EXAMPLES = [
    (" ".join(path), line.strip(), command)
    for package in ("gateway", "console", "searcher", "arena")
    for path, command in commands(load_command(package), (package,))
    for line in (command.epilog or "").splitlines()[2:]
]


@pytest.mark.parametrize(("path", "line", "command"), EXAMPLES, ids=[line for _, line, _ in EXAMPLES])
def test_an_example_is_a_command_with_options_that_exist(
    path: str, line: str, command: click.Command
) -> None:
    """It names the command itself, and each option of it."""
    assert line.startswith(f"python -m {path}")
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    assert {word for word in shlex.split(line) if word.startswith("--")} <= known


def test_a_new_token_and_its_entry_fit(tmp_path: Path) -> None:
    """The entry, appended to a file, admits the token. The token goes to the terminal, not into the file."""
    file, texts = tmp_path / "tokens.toml", []
    for name in ("prometheus", "ann"):
        result = CliRunner().invoke(token_command(has_limits=False), [name])
        assert result.exit_code == 0
        texts.append(result.stderr.strip())
        assert texts[-1] not in result.stdout
        with file.open("a") as added:
            added.write(result.stdout)
    checks = [TokenFile(file).check(text) for text in texts]
    assert [check.token and check.token.name for check in checks] == ["prometheus", "ann"]


@click.command()
@log_options
def _show(log_level: str, log_format: str) -> None:
    click.echo(f"{log_format} {log_level}")


def _output(*arguments: str, **environment: str | None) -> str:
    unset = {"LOG_FORMAT": None, "LOG_LEVEL": None}
    return CliRunner().invoke(_show, arguments, env=unset | environment).output.strip()


def test_the_environment_sets_both() -> None:
    """The variables are LOG_FORMAT and LOG_LEVEL, the level in any case. Options take precedence."""
    assert _output(LOG_FORMAT="text", LOG_LEVEL="WARNING") == "text warning"
    assert _output("--log-format", "json", "--log-level", "debug", LOG_FORMAT="text") == "json debug"


@pytest.mark.parametrize("package", ["gateway", "searcher", "arena"])
def test_the_help_waits_for_no_heavy_package(package: str) -> None:
    """Hundreds of processes of tests start like this, and so does each completion in a shell."""
    command = [sys.executable, "-X", "importtime", "-m", package, "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "click" in imported
    assert not imported & {"aiohttp", "grpc", "google", "numba", "numpy", "rich", "sqlalchemy", "scipy"}
