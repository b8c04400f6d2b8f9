"""The gateway's command line."""

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from gateway.commands.main import main

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


def test_commands_start_fast() -> None:
    """The imports of the command line and of the searcher's start load no module for serving."""
    script = f"import sys, gateway.commands.main, gateway.commands.start; print({SLOW} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
