"""The command that makes tokens."""

from datetime import date
from pathlib import Path

from click.testing import CliRunner

from battlesnake_search.common.access import TokenFile
from battlesnake_search.common.cli import token_command

TOKEN = token_command(has_limits=False)


def test_a_new_token_and_its_entry_fit(tmp_path: Path) -> None:
    """The entry, appended to a file, admits the token, which goes to the terminal and not into the file."""
    file, texts = tmp_path / "tokens.toml", []
    for name in ("prometheus", "ann"):
        result = CliRunner().invoke(TOKEN, [name])
        assert result.exit_code == 0
        texts.append(result.stderr.strip())
        assert texts[-1] not in result.stdout
        with file.open("a") as added:
            added.write(result.stdout)
    checks = [TokenFile(file).check(text) for text in texts]
    assert [check.token and check.token.name for check in checks] == ["prometheus", "ann"]


def test_an_entry_shows_what_it_may_have() -> None:
    """Each entry has an example of an end, late next year, and of limits where tokens have them."""
    plain = CliRunner().invoke(TOKEN, ["ann"]).stdout.splitlines()
    limited = CliRunner().invoke(token_command(has_limits=True), ["ann"]).stdout.splitlines()
    assert plain[0] == "[[tokens]]" and plain[-1].startswith(f"# expires = {date.today().year + 1}-12-31 ")
    assert [line.split()[1] for line in limited[len(plain) :]] == [
        "calls_per_second",
        "searches_at_once",
        "longest_search",
    ]


def test_an_invalid_name_is_refused() -> None:
    """The error says which names are valid."""
    result = CliRunner().invoke(TOKEN, ["Ann!"])
    assert result.exit_code == 2 and "must be 1 to 40 of a-z, 0-9, _ and -" in result.output
