"""The options of a console, on the command line and in the environment."""

import click
import pytest
from click.testing import CliRunner

from console.commands import options
from console.commands.main import main
from console.settings import Settings
from console.store.records import DEFAULT_BOUNDS


def _settings(*arguments: str, **variables: str | None) -> Settings:
    received: list[Settings] = []

    @click.command()
    def command(**values: object) -> None:
        received.append(options.settings(values))

    for option in (*options.RECORDING, *options.SERVING):
        command = option(command)
    environment = {"OUTCOMES_URL": "none", "REVIEWS": None} | variables
    result = CliRunner().invoke(command, arguments, env=environment)
    assert result.exit_code == 0, result.output
    return received[0]


def test_without_options_a_console_keeps_games_and_shows_them_to_its_machine() -> None:
    """It reviews lost games."""
    settings = _settings()
    assert (settings.games, settings.reviews) == (DEFAULT_BOUNDS, True)
    assert settings.admin is not None and (settings.admin.host, settings.admin.port) == ("127.0.0.1", 8001)
    assert not settings.admin.is_chosen and not settings.admin.opens


def test_the_console_reads_games_of_the_named_servers() -> None:
    """By default the platform's server alone is allowed, and with the value none, no server."""
    assert _settings().replay_servers == ("arena.battlesnake.com",)
    assert _settings("--replay-servers", "A.example [::1]:80").replay_servers == ("a.example", "[::1]:80")
    assert _settings(REPLAY_SERVERS="localhost:8080").replay_servers == ("localhost:8080",)
    assert _settings(REPLAY_SERVERS="none").replay_servers == ()


@pytest.mark.parametrize(
    ("option", "value", "error"),
    [
        ("--games", "0", "'0' is neither a number of games above 0 nor none"),
        ("--games-megabytes", "0", "0 is not in the range x>=1"),
        ("--admin", "8001", "'8001' is not an address like 127.0.0.1:8001, nor none"),
        ("--admin", "0.0.0.0:9000", "give a file of tokens with --admin-tokens or ADMIN_TOKENS"),
        ("--admin-tokens", "/nowhere/tokens.toml", "/nowhere/tokens.toml: No such file or directory"),
        ("--replay-servers", "https://a.example", "is not a host"),
        ("--boards", "board.example", "is neither an origin like https://board.battlesnake.com nor *"),
        ("--public", "x", "'x' is neither [HOST:]PORT, like 8002, nor none"),
    ],
)
def test_an_invalid_value_is_explained(option: str, value: str, error: str) -> None:
    """The error names the option and the valid values."""
    given = {"OUTCOMES_URL": "none", "ADMIN": "none", "ADMIN_TOKENS": None}
    result = CliRunner().invoke(main, ["serve", option, value], env=given)
    assert result.exit_code == 2 and option in result.output
    assert error in " ".join(result.output.split())


def test_the_help_shows_each_default_once() -> None:
    """No default is empty or shown twice, and each option of the service has its variable."""
    for command in (("serve",), ("check",), ("experiments",), ("games", "list")):
        shown = " ".join(CliRunner().invoke(main, [*command, "--help"]).output.split())
        assert 'default: ""' not in shown and "default: ;" not in shown
        assert all(option.count("default: ") <= 1 for option in shown.split(" --"))


def test_boards_and_everybody_see_games_only_if_the_options_say_so() -> None:
    """A port without a host is on every address."""
    settings = _settings()
    assert (settings.boards, settings.public_pages) == ((), None)
    assert _settings("--boards", "https://Board.example http://localhost:3000").boards == (
        "https://board.example",
        "http://localhost:3000",
    )
    assert _settings(BOARDS="*").boards == ("*",)
    for text, host in (("8002", "0.0.0.0"), ("127.0.0.1:8002", "127.0.0.1")):
        pages = _settings("--public", text).public_pages
        assert pages and (pages.host, pages.port) == (host, 8002)
