"""The gateway's command line."""

import subprocess
import sys

from click.testing import CliRunner

from gateway.commands.main import main

COMMANDS = ["blunders", "check", "experiments", "games", "play", "token", "watch"]

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
    assert main.list_commands(whole) == COMMANDS


def test_an_unknown_command_is_refused() -> None:
    """The error quotes it."""
    refused = CliRunner().invoke(main, ["chekc"])
    assert refused.exit_code == 2 and "No such command 'chekc'" in refused.output


def test_commands_start_fast() -> None:
    """The imports of the command line and of the searcher's start load no module for serving."""
    script = f"import sys, gateway.commands.main, gateway.commands.start; print({SLOW} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
