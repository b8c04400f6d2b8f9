"""The settings that options and variables make, without a gateway."""

from pathlib import Path

import click
import pytest
import trustme
from click.testing import CliRunner, Result

from battlesnake_search.common.access import new_token
from gateway.commands.options import Settings, serving, settings_from_environment
from gateway.ports.bounds import DEFAULT_BOUNDS as DEFAULT_PORT_BOUNDS
from gateway.store.records import DEFAULT_BOUNDS
from tests.support.certificates import write


def _run(*arguments: str, **variables: str | None) -> tuple[Result, list[Settings]]:
    received: list[Settings] = []

    def take(_context: click.Context, settings: Settings) -> None:
        received.append(settings)

    environment = {"PORT": None, "OUTCOMES_URL": "none"} | variables
    return CliRunner().invoke(click.command()(serving(take)), arguments, env=environment), received


def _settings(*arguments: str, **variables: str | None) -> Settings:
    result, received = _run(*arguments, **variables)
    assert result.exit_code == 0, result.output
    return received[0]


def test_without_options_a_gateway_serves_to_all_and_shows_the_console_to_its_machine() -> None:
    """Bounds are the default ones, and nobody sees metrics on the public port."""
    settings = _settings()
    assert (settings.host, settings.port, settings.searcher, settings.strategy) == ("0.0.0.0", 8000, "", "")
    assert (settings.games, settings.bounds) == (DEFAULT_BOUNDS, DEFAULT_PORT_BOUNDS)
    assert settings.admin is not None and (settings.admin.host, settings.admin.port) == ("127.0.0.1", 8001)
    assert (settings.public_metrics, settings.admin_tokens, settings.arena) == (False, None, None)
    assert settings.max_timeout == 10_000


@pytest.mark.parametrize("port", ["0", "65535"])
def test_any_port_may_be_asked_for(port: str) -> None:
    """Port 0 is any that is free."""
    assert _settings("--port", port, "--admin", "none").port == int(port)
    assert _settings(PORT=port, ADMIN="none").port == int(port)


@pytest.mark.parametrize("host", ["[::1]", "::1"])
def test_a_host_may_be_written_as_in_a_url(host: str) -> None:
    """The brackets of an IPv6 address are no part of it."""
    assert _settings("--host", host).host == "::1"


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--port", "65536"),
        ("--port", "-1"),
        ("--games-megabytes", "0"),
        ("--max-connections", "0"),
        ("--request-seconds", "0"),
        ("--strategy", "paranoid"),
        ("--admin", "here:there"),
    ],
)
def test_what_lies_beyond_is_refused(option: str, value: str) -> None:
    """The error names the option."""
    result, received = _run(option, value)
    assert result.exit_code == 2 and f"'{option}'" in result.output and not received


def test_bounds_may_be_as_small_as_one() -> None:
    """A bound that is a time may be any above 0."""
    small = _settings(
        *("--games", "1", "--games-days", "0.5", "--games-megabytes", "1", "--max-timeout", "1"),
        *("--max-connections", "1", "--max-connections-per-address", "1"),
        *("--request-seconds", "0.1", "--idle-seconds", "0.2"),
    )
    assert small.games is not None
    assert (small.games.games, small.games.days, small.games.bytes) == (1, 0.5, 1_000_000)
    assert (small.bounds.connections, small.bounds.per_address) == (1, 1)
    assert (small.bounds.request, small.bounds.idle, small.max_timeout) == (0.1, 0.2, 1)


def test_the_console_may_have_any_other_port() -> None:
    """From the first to the last one."""
    for port in (0, 1, 65535):
        admin = _settings("--admin", f"127.0.0.1:{port}").admin
        assert admin is not None and admin.port == port


def test_nothing_may_be_recorded_or_shown() -> None:
    """The word for it is none, for games and for the console."""
    settings = _settings("--games", "none", "--admin", "none")
    assert settings.games is None and settings.admin is None


def test_public_metrics_need_tokens(tmp_path: Path) -> None:
    """With a file of tokens, the public port and other addresses of the console may have them."""
    file = tmp_path / "tokens.toml"
    digest = new_token("ann")[1].digest
    file.write_text(f'[[tokens]]\nname = "ann"\ndigest = "{digest}"\n')
    wanted = ("--public-metrics", "--admin", "0.0.0.0:9000")
    settings = _settings(*wanted, "--admin-tokens", str(file))
    assert settings.public_metrics and settings.admin is not None and settings.admin.port == 9000
    assert settings.admin_tokens is not None and [token.name for token in settings.admin_tokens] == ["ann"]
    for option in ("--public-metrics", "--admin=0.0.0.0:9000"):
        result, _ = _run(option)
        assert result.exit_code == 2 and "ADMIN_TOKENS" in result.output


@pytest.mark.parametrize(("given", "color"), [("2f6f4e", "#2f6f4e"), ("#ABCDEF", "#ABCDEF")])
def test_a_colour_needs_no_mark(given: str, color: str) -> None:
    """A shell takes the mark for a comment."""
    assert _settings("--color", given).looks.color == color


def test_a_command_of_the_gateway_inherits_what_came_before_it() -> None:
    """An option of the command itself, or of the line before it, counts; variables count for both."""
    received: list[Settings] = []

    def take(_context: click.Context, settings: Settings) -> None:
        received.append(settings)

    @click.group(invoke_without_command=True)
    @serving
    def main(_context: click.Context, settings: Settings) -> None:
        pass

    main.command("check")(serving(take))
    arguments = ("--host", "10.0.0.1", "--port", "5", "check", "--port", "6")
    environment = {"OUTCOMES_URL": "none", "STRATEGY": "s/e"}
    assert CliRunner().invoke(main, arguments, env=environment).exit_code == 0
    assert [(each.host, each.port, each.strategy) for each in received] == [("10.0.0.1", 6, "s/e")]


def test_certificates_are_for_the_searchers_of_routes_too(tmp_path: Path) -> None:
    """Any of them may speak TLS; without a file of routes the gateway's own searcher has to."""
    files = write(tmp_path, trustme.CA())
    routes = tmp_path / "routes.toml"
    given = ("--searcher-ca", str(files.authorities))
    assert _settings(*given, "--routes", str(routes)).credentials is not None
    assert _run(*given)[0].exit_code == 2


def test_the_environment_alone_makes_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gateway that no command starts has the settings of the variables; an invalid one is an error."""
    monkeypatch.setenv("OUTCOMES_URL", "none")
    monkeypatch.setenv("PORT", "1234")
    assert settings_from_environment().port == 1234
    monkeypatch.setenv("PORT", "many")
    with pytest.raises(click.UsageError, match="'many' is not a valid integer"):
        settings_from_environment()


@pytest.mark.parametrize(
    ("option", "value", "error"),
    [
        ("--games", "0", "'0' is neither a number of games above 0 nor none"),
        ("--games", "many", "'many' is neither a number of games above 0 nor none"),
        ("--color", "red", "'red' is not a colour"),
        ("--snake-token", "short", "must be 16 to 128"),
        ("--admin", "127.0.0.1:8000", "has the port of the snake"),
        ("--admin-tokens", "/nowhere/tokens", "/nowhere/tokens: No such file or directory"),
        ("--admin-tokens", __file__, "line 1"),
    ],
)
def test_an_invalid_value_is_explained(option: str, value: str, error: str) -> None:
    """The error names the option, and what is wrong with its value."""
    result, received = _run(option, value)
    assert result.exit_code == 2 and not received
    assert option in result.output and error in " ".join(result.output.split())


def test_the_console_reads_games_of_the_named_servers() -> None:
    """By default of the platform's alone; none stands for no server."""
    assert _settings().replay_servers == ("arena.battlesnake.com",)
    assert _settings("--replay-servers", "A.example [::1]:80").replay_servers == ("a.example", "[::1]:80")
    assert _settings(REPLAY_SERVERS="localhost:8080").replay_servers == ("localhost:8080",)
    assert _settings(REPLAY_SERVERS="none").replay_servers == ()
    result, _ = _run("--replay-servers", "https://a.example")
    assert result.exit_code == 2 and "is not a host" in result.output
