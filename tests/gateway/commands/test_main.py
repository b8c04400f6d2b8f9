"""The gateway's command line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from battlesnake_search.program import main as everything
from gateway.commands.main import main
from tests.gateway.gateway_process import fails

COMMANDS = ["check", "play", "token"]

MOVED = ["blunders", "experiments", "games", "watch"]

SLOW = {"aiohttp", "asyncio", "ctypes", "grpc", "google.protobuf", "importlib.metadata", "rich", "sqlalchemy"}
"""Modules that would delay the embedded searcher, and each command that works without them."""


def test_every_command_explains_itself() -> None:
    """The list has each command with a line about it, and each command has --help."""
    listed = CliRunner().invoke(main, ["--help"]).output
    whole = main.make_context("gateway", [], resilient_parsing=True)
    for name in COMMANDS:
        each = main.get_command(whole, name)
        assert each is not None and each.name == name
        assert f"  {name} " in listed and each.get_short_help_str(30)[:-3] in listed
        assert "Usage: main " in CliRunner().invoke(main, [name, "--help"]).output
    assert main.list_commands(whole) == sorted(COMMANDS + MOVED)
    assert not [name for name in MOVED if f"\n  {name} " in listed]


@pytest.mark.parametrize("name", MOVED)
def test_a_command_of_the_console_runs_there(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The arguments stay, and the options before the command become variables."""
    run: list[tuple[str, ...]] = []
    monkeypatch.setattr(os, "execv", lambda _program, command: run.append(command))
    given = ("--outcomes", "games.db", "--searcher", "host:1", "--name", "Hydra")
    ended = CliRunner().invoke(main, [*given, name, "show", "--json", "-h"], prog_name="python -m gateway")
    assert ended.exit_code == 0
    assert ended.stderr == f"`python -m gateway {name}` is now `python -m console {name}`\n"
    assert run == [(sys.executable, "-m", "console", name, "show", "--json", "-h")]
    assert (os.environ["OUTCOMES_URL"], os.environ["SEARCHER_TARGET"]) == ("games.db", "host:1")
    assert "SNAKE_NAME" not in os.environ


@pytest.mark.parametrize(
    ("program", "former", "present"),
    [
        ("battlesnake-gateway", "battlesnake-gateway watch", "battlesnake-console watch"),
        ("battlesnake-search", "battlesnake-search gateway watch", "battlesnake-search console watch"),
        ("-c", "-c watch", "python -m console watch"),
    ],
)
def test_the_present_command_is_named(
    program: str, former: str, present: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the form of the former one, which may be an installed program."""
    monkeypatch.setattr(os, "execv", lambda *_: None)
    group, command = (everything, ["gateway", "watch"]) if "search" in program else (main, ["watch"])
    ended = CliRunner().invoke(group, command, prog_name=program)
    assert ended.stderr == f"`{former}` is now `{present}`\n"


async def test_the_database_may_be_given_before_the_command(tmp_path: Path) -> None:
    """A command of the console inherits the gateway's option, which takes precedence over the environment."""
    early, late = str(tmp_path / "early.sqlite"), str(tmp_path / "late.sqlite")
    _, error = await fails("--outcomes", early, "experiments", OUTCOMES_URL=late)
    assert "early.sqlite" in error
    _, error = await fails("--outcomes", early, "experiments", "--outcomes", late)
    assert "late.sqlite" in error and "early.sqlite" not in error


def test_an_unknown_command_is_refused() -> None:
    """The error quotes it."""
    refused = CliRunner().invoke(main, ["chekc"])
    assert refused.exit_code == 2 and "No such command 'chekc'" in refused.output


def test_commands_start_fast() -> None:
    """The imports of the command line and of the searcher's start load no module for serving."""
    script = f"import sys, gateway.commands.main, gateway.commands.start; print({SLOW} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
