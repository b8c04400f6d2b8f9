"""The compliance command, against a snake in a process of its own."""

import pytest
from click.testing import CliRunner, Result

from arena.commands.compliance import compliance
from tests.arena import outside_snake
from tests.support.services import free_port


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(compliance, arguments)


def test_a_correct_snake_ends_with_0() -> None:
    """A correct snake gets a table of results, the number of passed checks, and exit code 0."""
    with outside_snake.running_process() as url:
        result = _run(url, "--timeout", "5000")
    assert result.exit_code == 0, result.output
    assert "recorded game: standard" in result.stdout and "fail" not in result.stdout.splitlines()[:-1]
    assert result.stdout.splitlines()[-1].endswith(" passed, 0 warned, 0 failed")


def test_a_faulty_snake_ends_with_1() -> None:
    """A failed check shows its name, its outcome, what came and what was expected."""
    with outside_snake.running_process("--fault", "wrong-word", "--every", "2") as url:
        result = _run(url, "--timeout", "5000", "--games", "2")
    assert result.exit_code == 1
    _, _, games = result.stdout.partition("parallel games")
    # The cells of the table are wrapped.
    words = " ".join(games.replace("│", " ").split())
    assert words.startswith("fail") and "invalid: move is 'north'" in words
    assert "expected: 2 games at once: every answer correct and within 5000 ms" in words


def test_an_unreachable_snake_is_reported_in_one_line() -> None:
    """A snake that can't be reached is an error in one line, not a result."""
    url = f"http://127.0.0.1:{free_port()}"
    result = _run(url)
    assert result.exit_code == 1 and result.stdout == ""
    assert result.stderr.startswith(f"Error: no snake can be reached at {url}: ")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://localhost", "http://", "http://snake:99999"])
def test_an_invalid_url_is_rejected(url: str) -> None:
    """An invalid URL is rejected by name, with an example of a valid one."""
    result = _run(url)
    assert result.exit_code == 2
    assert f"Invalid value for URL: {url!r} is not a URL such as http://localhost:8000" in result.stderr
