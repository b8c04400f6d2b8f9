"""The options of a gateway, on the command line and in the environment."""

from pathlib import Path

import click
import pytest
import trustme
from click.testing import CliRunner, Result

from battlesnake_search.common.access import new_token
from battlesnake_search.common.config import VARIABLE
from battlesnake_search.ports.bounds import DEFAULT_PORT_BOUNDS
from gateway.commands import options
from gateway.commands.main import main
from gateway.commands.options import settings_from_environment
from gateway.settings import Settings
from tests.gateway import scripted_searcher
from tests.gateway.gateway_process import refused, serving
from tests.gateway.scripted_searcher import ScriptedService
from tests.support.certificates import write

LOOKS = {"name": "Hydra", "color": "#12ab34", "head": "safe", "tail": "bolt", "author": "me"}
VARIABLES = {f"SNAKE_{field.upper()}": value for field, value in LOOKS.items()}


async def test_the_looks_are_those_of_the_snake_at_the_root(tmp_path: Path) -> None:
    """The options give looks to the snake at / alone."""
    file = tmp_path / "routes.toml"
    file.write_text('[[snakes]]\npath = "/a"\narms = [{ name = "x" }]')
    async with (
        scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once)) as target,
        serving(target, ROUTES_FILE=str(file), **VARIABLES) as (_, client),
    ):
        root, other = [await (await client.get(path)).json() for path in ("/", "/a")]
    assert root.items() >= LOOKS.items() and other["author"] != LOOKS["author"]


@pytest.mark.parametrize("color", ["red", "#12ab3", "#12ab345", "##12ab3"])
def test_an_invalid_colour_is_named(color: str) -> None:
    """The error shows a valid colour, with the quotes that # needs in a shell."""
    status, error = refused("--color", color)
    assert status == 2 and "--color" in error and "like 2f6f4e or '#2f6f4e'" in error


@pytest.mark.parametrize(
    ("option", "value", "error"),
    [
        ("--console", "console.example", "has no port: give console.example:50051"),
        ("--admin", "8001", "'8001' is not an address like 127.0.0.1:8001, nor none"),
        ("--admin", "127.0.0.1:8000", "'127.0.0.1:8000' has the port of the snake"),
        ("--max-connections", "0", "0 is not in the range x>=1"),
        ("--idle-seconds", "-1", "-1.0 is not in the range x>0"),
        ("--snake-token", "short", "must be 16 to 128 of A-Z, a-z, 0-9, - and _"),
        ("--admin-tokens", "/nowhere/tokens.toml", "/nowhere/tokens.toml: No such file or directory"),
    ],
)
def test_an_invalid_value_is_explained(option: str, value: str, error: str) -> None:
    """The error names the option and the valid values."""
    status, printed = refused(option, value)
    assert status == 2 and option in printed and error in " ".join(printed.split())


@pytest.mark.parametrize("arguments", [("--admin", "0.0.0.0:8001"), ("--public-metrics",)])
def test_the_admin_side_needs_tokens_where_others_reach_it(arguments: tuple[str, ...]) -> None:
    """The error names the option and how to make a file; the gateway does not start."""
    status, error = refused(*arguments, ADMIN_TOKENS="", PUBLIC_METRICS="")
    assert status == 2 and arguments[0] in error
    printed = " ".join(error.split())
    assert "--admin-tokens or ADMIN_TOKENS" in printed and "python -m gateway token NAME >> FILE" in printed


def _run(*arguments: str, **variables: str | None) -> tuple[Result, list[Settings]]:
    received: list[Settings] = []

    def take(_context: click.Context, settings: Settings) -> None:
        received.append(settings)

    environment = {"PORT": None, "OUTCOMES_URL": "none"} | variables
    return CliRunner().invoke(click.command()(options.serving(take)), arguments, env=environment), received


def _settings(*arguments: str, **variables: str | None) -> Settings:
    result, received = _run(*arguments, **variables)
    assert result.exit_code == 0, result.output
    return received[0]


def test_without_options_a_gateway_serves_to_all_and_shows_the_console_to_its_machine() -> None:
    """Bounds have their defaults, and the public port has no metrics."""
    settings = _settings()
    assert (settings.host, settings.port, settings.searcher, settings.strategy) == ("0.0.0.0", 8000, "", "")
    assert (settings.console, settings.bounds) == ("", DEFAULT_PORT_BOUNDS)
    assert not settings.console_variables["ADMIN"]
    assert (settings.public_metrics, settings.admin_tokens) == (False, None)
    assert settings.max_timeout == 10_000


@pytest.mark.parametrize("host", ["[::1]", "::1"])
def test_a_host_may_be_written_as_in_a_url(host: str) -> None:
    """The brackets of an IPv6 address are no part of it."""
    assert _settings("--host", host).host == "::1"


def test_the_options_of_the_console_are_passed_on_to_it() -> None:
    """They become its variables. It reads their values and refuses invalid ones."""
    given = ("--games", "none", "--outcomes", "games.db", "--replay-servers", "a b", "--admin", "none")
    settings = _settings(*given, REVIEWS=None)
    passed_on = {"GAMES": "none", "OUTCOMES_URL": "games.db", "REPLAY_SERVERS": "a b", "ADMIN": "none"}
    assert settings.console_variables == passed_on | {"SEARCHER_TARGET": ""}


def test_the_own_console_has_the_credentials_for_the_targets_of_routes(tmp_path: Path) -> None:
    """The credentials may have no --searcher, because the routes name the targets."""
    files, token = write(tmp_path, trustme.CA()), tmp_path / "token"
    token.write_text("a-token-that-is-long-enough-for-anyone")
    given = ("--searcher-ca", str(files.authorities), "--searcher-token", str(token))
    settings = _settings(*given, "--routes", str(tmp_path / "routes.toml"))
    found = settings.console_variables
    assert found["SEARCHER_TARGET_CA"] == str(files.authorities)
    assert found["SEARCHER_TARGET_TOKEN_FILE"] == str(token)


def test_the_console_of_a_chosen_port_takes_no_port_of_a_neighbour() -> None:
    """Another snake may be on the next port."""
    assert _settings("--port", "8000").console_variables["ADMIN"] == "127.0.0.1:0"


def test_public_metrics_need_tokens(tmp_path: Path) -> None:
    """With a file of tokens, the public port and other addresses of the console may have them."""
    file = tmp_path / "tokens.toml"
    digest = new_token("ann")[1].digest
    file.write_text(f'[[tokens]]\nname = "ann"\ndigest = "{digest}"\n')
    wanted = ("--public-metrics", "--admin", "0.0.0.0:9000")
    settings = _settings(*wanted, "--admin-tokens", str(file))
    passed_on = {"ADMIN": "0.0.0.0:9000", "ADMIN_TOKENS": str(file)}
    assert settings.public_metrics and settings.console_variables.items() >= passed_on.items()
    assert settings.admin_tokens is not None and [token.name for token in settings.admin_tokens] == ["ann"]


def test_a_command_of_the_gateway_inherits_what_came_before_it() -> None:
    """An option of the command itself, or of the line before it, counts; variables count for both."""
    received: list[Settings] = []

    def take(_context: click.Context, settings: Settings) -> None:
        received.append(settings)

    @click.group(invoke_without_command=True)
    @options.serving
    def main(_context: click.Context, settings: Settings) -> None:
        pass

    main.command("check")(options.serving(take))
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
    ("options", "message"),
    [
        (("--searcher-cert", "chain.pem"), "--searcher-cert: a certificate and its key belong together"),
        (("--searcher-ca", "none.pem"), "--searcher-ca: none.pem: No such file or directory"),
        (("--searcher-ca", "text"), "--searcher-ca: text has no certificates of authorities"),
        (("--searcher-token", "gateway.secret"), "--searcher-token: it must name a file: No such file"),
        (("--searcher-token", "text"), "--searcher-token: text: must hold one token and nothing else"),
    ],
)
def test_invalid_credentials_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], message: str
) -> None:
    """The error names the option and the file."""
    write(tmp_path, trustme.CA())
    (tmp_path / "text").write_text("no token, no certificate")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, [*options, "--outcomes", "games.db"])
    assert result.exit_code == 2
    assert f"Error: Invalid value for {message}" in " ".join(result.output.split())


def test_settings_of_the_console_are_not_the_gateways(tmp_path: Path) -> None:
    """The table of a command that the console has now is an error that names it."""
    file = tmp_path / "settings.toml"
    file.write_text("[gateway.games.list]\njson = true\n")
    ended = CliRunner().invoke(main, ("--config", str(file), "check"), env={VARIABLE: ""})
    words = " ".join(ended.output.split())
    assert ended.exit_code == 2
    assert "gateway.games: expected a value, got a table" in words
