"""Tokens of callers."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from battlesnake_search.common import access
from battlesnake_search.common.access import Refusal, Token, TokenFile, bearer, new_token, read_tokens

TOKEN = f"gateway.{43 * 's'}"
ENTRY = Token("gateway", access.digest_of(TOKEN))


def _file(tmp_path: Path, *lines: str, digest: str = ENTRY.digest) -> Path:
    path = tmp_path / "access.toml"
    path.write_text("\n".join(["[[tokens]]", 'name = "gateway"', f'digest = "{digest}"', *lines]))
    return path


def _day(days: int) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).date().isoformat()


def test_a_right_token_gives_its_entry(tmp_path: Path) -> None:
    """A caller with the right secret has the limits of its entry."""
    file = _file(tmp_path, "calls_per_second = 2.5", "searches_at_once = 3", f"expires = {_day(2)}")
    check = TokenFile(file).check(TOKEN)
    assert check.refusal is None and check.token is not None
    assert (check.token.calls_per_second, check.token.searches_at_once) == (2.5, 3)
    assert check.token.longest_search is None


@pytest.mark.parametrize(
    ("text", "line", "refusal", "name"),
    [
        ("", "", Refusal.MISSING, ""),
        ("gateway", "", Refusal.MALFORMED, ""),
        ("gateway.", "", Refusal.MALFORMED, ""),
        (".secret", "", Refusal.MALFORMED, ""),
        ("Gateway.secret", "", Refusal.MALFORMED, ""),
        ("gateway.s\udcffcret", "", Refusal.MALFORMED, ""),
        (f"gateway.{249 * 'a'}", "", Refusal.MALFORMED, ""),
        (f"gateway.{248 * 'a'}", "", Refusal.WRONG, "gateway"),
        ("other.secret", "", Refusal.UNKNOWN, "other"),
        (TOKEN.replace("gateway", "other"), "", Refusal.UNKNOWN, "other"),
        ("gateway.secret", "", Refusal.WRONG, "gateway"),
        (f"{TOKEN}a", "", Refusal.WRONG, "gateway"),
        (TOKEN, "revoked = true", Refusal.REVOKED, "gateway"),
        (TOKEN, "expires = TODAY", Refusal.EXPIRED, "gateway"),
        ("gateway.secret", "revoked = true", Refusal.WRONG, "gateway"),
    ],
)
def test_a_token_is_refused(tmp_path: Path, text: str, line: str, refusal: Refusal, name: str) -> None:
    """Each fault of a token has its own reason, and who guesses learns nothing of revoked ones."""
    assert TokenFile(_file(tmp_path, line.replace("TODAY", _day(0)))).check(text) == (name, None, refusal)


def test_a_token_of_another_name_is_refused(tmp_path: Path) -> None:
    """A secret belongs to its name, even where both names are known."""
    file = _file(tmp_path, "[[tokens]]", 'name = "bot"', f'digest = "{new_token("bot")[1].digest}"')
    assert TokenFile(file).check(TOKEN.replace("gateway", "bot")).refusal is Refusal.WRONG


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "calls = 1",
            r"^line 4: tokens\[0\].calls: Object contains unknown field.*; valid: name, digest",
        ),
        ("calls_per_second = 0", r"^line 4: tokens\[0\].calls_per_second: Expected `float` > 0.0"),
        ("searches_at_once = 0", r"^line 4: tokens\[0\].searches_at_once: Expected `int` >= 1"),
        ('expires = "soon"', r"^line 4: tokens\[0\].expires"),
        (
            '[[tokens]]\nname = "gateway"\ndigest = "' + ENTRY.digest + '"',
            "line 5: .*'gateway' is given twice",
        ),
        (
            '[[tokens]]\nname = "A"\ndigest = "' + ENTRY.digest + '"',
            r"line 5: tokens\[1\].name: must be 1 to 40",
        ),
    ],
)
def test_an_invalid_file_is_refused(tmp_path: Path, line: str, message: str) -> None:
    """The error names the line, the field and what is valid."""
    with pytest.raises(ValueError, match=message):
        read_tokens(_file(tmp_path, line))


def test_a_file_has_nothing_but_tokens(tmp_path: Path) -> None:
    """A table with a misspelt name would admit nobody, and nobody would know why."""
    with pytest.raises(ValueError, match=r"^line 4: .*unknown field `token`"):
        read_tokens(_file(tmp_path, "[[token]]", 'name = "bot"'))


def test_a_secret_in_place_of_a_digest_is_refused(tmp_path: Path) -> None:
    """The error does not repeat what might be a secret."""
    with pytest.raises(ValueError, match=r"^line 3: tokens\[0\].digest: must be sha256") as refusal:
        TokenFile(_file(tmp_path, digest=TOKEN))
    assert TOKEN not in str(refusal.value)


def test_tokens_differ() -> None:
    """Each new token has a secret of its own, and its entry has that token's digest alone."""
    text, entry = new_token("gateway")
    assert text != TOKEN and entry.digest == access.digest_of(text) != ENTRY.digest
    assert len(text) > len("gateway.") + 40


@pytest.mark.parametrize(
    ("header", "token"),
    [("Bearer a.b", "a.b"), ("bearer  a.b ", "a.b"), ("Basic a.b", ""), ("a.b", ""), ("", "")],
)
def test_a_bearer_header_has_a_token(header: str, token: str) -> None:
    """Only the scheme Bearer has a token, in any case."""
    assert bearer(header) == token
