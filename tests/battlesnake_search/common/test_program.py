"""The command line of all packages and of each package, as installed programs."""

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner

from battlesnake_search.common.config import PACKAGES
from battlesnake_search.program import load_command, main
from tests.support.services import ROOT

PROGRAMS = tuple(f"battlesnake-{name}" for name in ("search", "gateway", "searcher", "console", "arena"))
BIN = Path(sys.executable).parent


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command in the project's folder."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_is_installed(program: str) -> None:
    """Each program has its name and a version."""
    assert run(BIN / program, "--version").stdout.startswith(f"{program} ")


@pytest.mark.parametrize("program", ["battlesnake-search", *(f"python -m {name}" for name in PACKAGES)])
def test_usage_lines_name_commands_as_typed(program: str) -> None:
    """So does the help of `play`, which reads the gateway's settings."""
    root = main if program == "battlesnake-search" else load_command(program.split()[-1])

    def check(command: click.Command | None, path: tuple[str, ...]) -> int:
        if command is None or command.hidden:
            return 0
        shown = CliRunner().invoke(root, [*path, "-h"], prog_name=program).output
        assert " ".join(shown.split()).startswith(f"Usage: {' '.join((program, *path))} [")
        if not isinstance(command, click.Group):
            return 1
        context = click.Context(command)
        return 1 + sum(
            check(command.get_command(context, name), (*path, name))
            for name in command.list_commands(context)
        )

    assert check(root, ()) > 3


def test_a_moved_command_names_its_place_in_the_same_program() -> None:
    """It shows the help of the console's command."""
    shown = run(BIN / "battlesnake-search", "gateway", "games", "-h")
    assert shown.stderr == "`battlesnake-search gateway games` is now `battlesnake-search console games`\n"
    assert " ".join(shown.stdout.split()).startswith("Usage: python -m console games [")


def test_bash_completes_commands(tmp_path: Path) -> None:
    """The output of `completion bash` completes commands."""
    script = tmp_path / "complete.sh"
    script.write_text(
        f'export PATH="{BIN}:$PATH"\n'
        'eval "$(battlesnake-search completion bash)"\n'
        "COMP_WORDS=(battlesnake-search pl) COMP_CWORD=1\n"
        "_battlesnake_search_completion battlesnake-search\n"
        'echo "${COMPREPLY[@]}"\n'
    )
    assert run("bash", script).stdout == "play\n"


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("searcher analyze x --strategy paranoid/ar", "paranoid/area"),
        ("gateway --strategy au", "auto"),
        ("searcher try hung", "hungry"),
        ("arena tune hung", "hungry"),
        ("arena match auto gree", "greedy"),
        ("arena match auto feed", "feeder"),
        ("arena gauntlet --pool paranoid/ar", "paranoid/area"),
    ],
)
def test_names_are_completed(words: str, completed: str) -> None:
    """Strategies, evaluators and opponents of the pool are completed, too."""
    *arguments, incomplete = words.split()
    found = BashComplete(main, {}, "battlesnake-search", "").get_completions(arguments, incomplete)
    assert [each.value for each in found] == [completed]
