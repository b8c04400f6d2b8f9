"""The searcher's command line."""

from pathlib import Path

import pytest

from searcher.commands.main import main
from tests.searcher.command_line import assert_refused, call, command, run


def test_every_command_explains_itself() -> None:
    """The list has each command with a line about it, and each command has --help."""
    listed = command("--help").stdout
    for name, each in main.commands.items():
        assert name in listed
        assert each.get_short_help_str()
        with each.make_context(name, [], resilient_parsing=True) as context:
            assert "--help" in each.get_help(context)
    assert {"serve", "warm", "conformance", "analyze", "bench"} <= set(main.commands)


@pytest.mark.parametrize("name", ["serve", "warm"])
def test_an_unknown_strategy_is_refused(name: str) -> None:
    """The error quotes it and names the valid ones."""
    assert_refused(call(name, "--only", "paranoid/nothing"), "--only", "'paranoid/nothing'", "paranoid/area")


def test_an_invalid_age_is_refused() -> None:
    """The error names the option even if the environment sets it."""
    refused = call("serve", SEARCHER_MAX_CONNECTION_AGE="soon")
    assert_refused(refused, "--max-connection-age")


@pytest.mark.parametrize(
    ("settings", "port"),
    [({"PORT": "99999"}, "0.0.0.0:99999"), ({"PORT": "1", "SEARCHER_LISTEN": "here"}, "here")],
)
def test_the_environment_sets_the_address(settings: dict[str, str], port: str) -> None:
    """The address is SEARCHER_LISTEN, or else PORT on all interfaces."""
    assert_refused(call("serve", **settings), port)


def test_a_folder_for_code_is_made_before_compiling(tmp_path: Path) -> None:
    """The error about it names the option, and costs no minutes."""
    (tmp_path / "file").touch()
    output = str(tmp_path / "file" / "code")
    assert_refused(call("warm", "--output", output), f"--output: {output}: Not a directory")


def test_commands_start_fast() -> None:
    """Importing the command line imports neither the compiler nor the server."""
    script = (
        "import sys, searcher.commands.main; print({'numba', 'grpc', 'numpy', 'rich'} & set(sys.modules))"
    )
    assert run("-c", script).stdout.strip() == "set()"
