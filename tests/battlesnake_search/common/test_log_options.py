"""The options --log-level and --log-format."""

import click
import pytest
from click.testing import CliRunner

from battlesnake_search.common.cli import log_options


@click.command()
@log_options
def _show(log_level: str, log_format: str) -> None:
    click.echo(f"{log_format} {log_level}")


def _output(*arguments: str, **environment: str | None) -> str:
    unset = {"LOG_FORMAT": None, "LOG_LEVEL": None}
    return CliRunner().invoke(_show, arguments, env=unset | environment).output.strip()


def test_the_default_without_a_terminal_is_json() -> None:
    """Without options and without a terminal the log is JSON from level info on."""
    assert _output() == "json info"


@pytest.mark.parametrize("word", ["text", "console"])
def test_console_is_another_word_for_text(word: str) -> None:
    """The option and the variable take both words."""
    assert _output("--log-format", word) == _output(LOG_FORMAT=word) == "text info"


def test_the_environment_sets_both() -> None:
    """The variables are LOG_FORMAT and LOG_LEVEL, the level in any case; options win over them."""
    assert _output(LOG_FORMAT="text", LOG_LEVEL="WARNING") == "text warning"
    assert _output("--log-format", "json", "--log-level", "debug", LOG_FORMAT="text") == "json debug"


@pytest.mark.parametrize(
    ("option", "valid"),
    [("--log-format", "'text', 'json'"), ("--log-level", "'debug', 'info', 'warning', 'error'")],
)
def test_an_unknown_word_is_refused(option: str, valid: str) -> None:
    """The error names the option and what is valid."""
    refused = _output(option, "xml")
    assert option in refused and valid in refused


def test_the_help_names_the_variables() -> None:
    """The help has the variables and the defaults, and doesn't offer the former word."""
    shown = " ".join(_output("--help").split())
    assert all(text in shown for text in ("LOG_LEVEL", "LOG_FORMAT", "text on a terminal, else json"))
    assert "console" not in shown
