"""Files of settings, and their check."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from battlesnake_search.common.config import VARIABLE, config_option
from battlesnake_search.program import main


@click.group(invoke_without_command=True)
@config_option("gateway")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, envvar="A_PORT")
@click.option("--max-timeout", type=int, default=500)
@click.option("--tag", multiple=True)
@click.option("--quiet/--loud", default=False)
@click.pass_context
def program(context: click.Context, port: int, max_timeout: int, tag: tuple[str, ...], quiet: bool) -> None:
    """Print what it was given."""
    if not context.invoked_subcommand:
        click.echo(f"{port} {max_timeout} {tag} {quiet}")


@program.command()
@click.option("--games", type=int, default=100)
def match(games: int) -> None:
    """Print what it was given."""
    click.echo(games)


FILE = """
[gateway]
port = 1
max-timeout = 900
tag = ["a", "b"]
quiet = true

[gateway.match]
games = 20
"""


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Isolate the environment of each test."""
    monkeypatch.setenv(VARIABLE, "")


def run(tmp_path: Path, text: str, *arguments: str, **variables: str) -> tuple[int, str]:
    """Run the program with a file of settings; return its exit code and its output."""
    file = tmp_path / "settings.toml"
    file.write_text(text)
    ended = CliRunner().invoke(program, ["--config", str(file), *arguments], env=variables)
    return ended.exit_code, ended.output.replace(f"{file}", "FILE")


def test_a_file_sets_options(tmp_path: Path) -> None:
    """The file sets options of the group and of its commands."""
    assert run(tmp_path, FILE) == (0, "1 900 ('a', 'b') True\n")
    assert run(tmp_path, FILE, "match") == (0, "20\n")


def test_an_option_may_have_the_name_of_a_command(tmp_path: Path) -> None:
    """The gateway has both for games: the key is the option."""
    file = tmp_path / "settings.toml"
    file.write_text("[gateway]\ngames = 500\n")
    assert CliRunner().invoke(main, ["config", "check", str(file)]).output == f"{file}: ok\n"

    @click.group(invoke_without_command=True)
    @config_option("gateway")
    @click.option("--games", type=int, default=1000)
    def gateway(games: int) -> None:
        click.echo(games)

    gateway.add_command(click.Command("games"))
    assert CliRunner().invoke(gateway, ["--config", str(file)]).output == "500\n"


def test_flags_count_before_variables_and_these_before_the_file(tmp_path: Path) -> None:
    """The order of precedence is flag, variable, file."""
    assert run(tmp_path, FILE, A_PORT="2")[1].startswith("2 900 ")
    assert run(tmp_path, FILE, "--port", "3", A_PORT="2")[1].startswith("3 900 ")
    assert run(tmp_path, FILE, "match", "--games", "5") == (0, "5\n")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[gateway]\nprot = 1\n", "FILE: gateway.prot: no such option; did you mean port?"),
        ("[gateway]\nport = 'x'\n", "FILE: gateway.port: 'x' is not a valid integer."),
        ("[gateway]\nport = 70000\n", "FILE: gateway.port: 70000 is not in the range 0<=x<=65535."),
        (
            "[gateway.match]\ngame = 1\n",
            "FILE: gateway.match.game: no such option; did you mean games?",
        ),
        ("[gateway]\nmatch = 1\n", "FILE: gateway.match: expected a table"),
        ("[gatewy]\nport = 1\n", "FILE: gatewy: no such table; did you mean gateway?"),
        ("[x]\n", "FILE: x: no such table; there are arena, console, gateway, searcher"),
        ("port = 1\n[", "FILE: not TOML: "),
    ],
)
def test_an_invalid_file_is_a_usage_error(tmp_path: Path, text: str, problem: str) -> None:
    """The error names the file, the key and the valid values, and no command runs."""
    code, printed = run(tmp_path, text)
    assert code == 2
    assert problem in printed


def test_a_check_lists_every_problem(tmp_path: Path) -> None:
    """The check lists the problems of all commands in the file and of variables, or prints ok."""
    file = tmp_path / "settings.toml"
    file.write_text("[gateway]\nport = 'x'\n[searcher.serve]\nworkers = 0\n[arena.mach]\n")
    ended = CliRunner().invoke(main, ["config", "check", str(file)], env={"PORT": "abc"})
    assert ended.exit_code == 1
    assert ended.output.splitlines() == [
        "PORT: 'abc' is not a valid integer.",
        f"{file}: gateway.port: 'x' is not a valid integer.",
        f"{file}: searcher.serve.workers: 0 is not in the range x>=1.",
        f"{file}: arena.mach: no such option; did you mean match?",
    ]
    file.write_text("[gateway]\nport = 8001\n")
    assert CliRunner().invoke(main, ["config", "check", str(file)]).output == f"{file}: ok\n"
    assert CliRunner().invoke(main, ["config", "check"]).output == "the environment: ok\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[gateway]\ncolor = 'red'", "gateway.color: 'red' is not a colour like 2f6f4e or '#2f6f4e'"),
        ("[gateway]\nstrategy = 'x'", "gateway.strategy: strategy 'x' is neither auto nor of the form"),
        ("[gateway]\nadmin-tokens = 'x'", "gateway.admin-tokens: x: No such file or directory"),
        ("[gateway]\nsearcher = 'localhost'", "gateway.searcher: 'localhost' has no port: give loc"),
    ],
)
def test_a_check_refuses_what_a_start_refuses(tmp_path: Path, text: str, problem: str) -> None:
    """The check reads values as the commands do."""
    file = tmp_path / "settings.toml"
    file.write_text(text)
    ended = CliRunner().invoke(main, ["config", "check", str(file)])
    assert (ended.exit_code, ended.output.count("\n")) == (1, 1)
    assert ended.output.startswith(f"{file}: {problem}")
