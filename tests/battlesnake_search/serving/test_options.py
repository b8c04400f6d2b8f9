"""The options of a port, for another program than the searcher."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from battlesnake_search.common.types import OptionValue
from battlesnake_search.serving.options import port_options, port_settings
from battlesnake_search.serving.port import PortSettings
from battlesnake_search.serving.program import MessageBounds, Program

CONSOLE = Program(
    "console", "record", MessageBounds(10, 100, 0.3), openable={"reflection": "grpc.reflection."}
)


def test_variables_have_the_name_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """So have the texts, and the services to open are the program's."""
    found: list[PortSettings] = []

    @click.command()
    @port_options(CONSOLE, "Open reflection to all callers.")
    def serve(**port: OptionValue) -> None:
        found.append(port_settings(**port))

    monkeypatch.setenv("CONSOLE_TOKENS", "tokens.toml")
    monkeypatch.setenv("CONSOLE_WITHOUT_TOKEN", "reflection")
    monkeypatch.setenv("SEARCHER_HEALTH", "127.0.0.1:1")
    assert CliRunner().invoke(serve, []).exit_code == 0
    assert found == [PortSettings(tokens=Path("tokens.toml"), without_token=("reflection",), metrics=())]
    assert CliRunner().invoke(serve, ["--without-token", "strategies"]).exit_code == 2
    text = CliRunner().invoke(serve, ["--help"]).output
    assert "CONSOLE_MAX_CONNECTION_AGE" in text and "new consoles" in " ".join(text.split())
