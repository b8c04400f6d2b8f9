"""Tokens of the admin side."""

from base64 import b64encode
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from aiohttp.typedefs import Middleware

from battlesnake_search.common.access import TokenFile, digest_of
from battlesnake_search.ports import passwords
from tests.console.web.console import Console, running
from tests.support.admin import HEADERS, TOKEN, TOKENS
from tests.support.logs import capture_logs

SECRET = TOKEN.partition(".")[2]
PATHS = ("/", "/home.js", "/metrics", "/experiments", "/readyz", "/api/games", "/nowhere")


def _basic(text: str) -> str:
    return f"Basic {b64encode(text.encode()).decode()}"


async def _metrics(console: Console) -> str:
    """Return the metrics of the console."""
    async with console.admin.get("/metrics", headers=HEADERS) as answer:
        assert answer.status == 200
        return await answer.text()


async def _status(console: Console, authorization: str, path: str = "/home.js") -> int:
    headers = {"Authorization": authorization} if authorization else {}
    async with console.admin.get(path, headers=headers) as answer:
        return answer.status


async def test_nothing_is_shown_without_a_token() -> None:
    """A path of the admin port requires a token, also a missing path. A browser asks its user."""
    async with running(tokens=TokenFile(TOKENS)) as console:
        for path in PATHS:
            async with console.admin.get(path) as answer:
                assert answer.status == 401
                assert answer.headers["WWW-Authenticate"].startswith("Basic realm=")
                assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert await _status(console, HEADERS["Authorization"], path) in (200, 404)


@pytest.mark.parametrize(
    ("authorization", "reason"),
    [
        (f"Bearer {TOKEN}", ""),
        (_basic(f"tests:{SECRET}"), ""),
        (_basic(f"tests:{TOKEN}"), ""),
        ("", "missing"),
        (f"Digest {TOKEN}", "malformed"),
        ("Basic ???", "malformed"),
        ("Basic \udcff", "malformed"),
        (f"Bearer {TOKEN}x", "wrong"),
        (_basic(f"tests:{SECRET[:-1]}"), "wrong"),
        (_basic(f"other:{SECRET}"), "unknown"),
    ],
)
async def test_a_token_is_a_bearer_or_a_password(authorization: str, reason: str) -> None:
    """Scripts send it as a bearer, browsers as name and password. A refusal is counted by its reason."""
    with capture_logs() as lines:
        async with running(tokens=TokenFile(TOKENS)) as console:
            sent = authorization.encode(errors="surrogateescape").decode("latin-1")
            assert await _status(console, sent) == (401 if reason else 200)
            text = await _metrics(console)
    for each in ("missing", "malformed", "wrong", "unknown"):
        assert f'console_admin_refused_passwords_total{{reason="{each}"}} {float(each == reason)}' in text
    refused = [line for line in lines if line["event"] == "password refused"]
    assert [line["reason"] for line in refused] == [reason] * (reason not in ("", "missing"))
    assert {line["address"] for line in refused} <= {"127.0.0.1"}
    assert SECRET[:-1] not in str(lines)


async def test_a_revoked_token_is_refused_without_a_restart(tmp_path: Path) -> None:
    """The file is read again when it changes."""
    file = tmp_path / "tokens.toml"
    file.write_text(TOKENS.read_text())
    tokens = TokenFile(file)
    async with running(tokens=tokens) as console:
        assert await _status(console, f"Bearer {TOKEN}") == 200
        file.write_text(TOKENS.read_text() + "revoked = true\n")
        tokens._tokens._next_look = 0
        assert await _status(console, f"Bearer {TOKEN}") == 401


async def test_the_right_password_is_accepted_beside_wrong_ones() -> None:
    """A caller at the same address can't keep the operator out, nor a browser that has yet to ask."""
    async with running(tokens=TokenFile(TOKENS)) as console:
        statuses = [
            (
                await _status(console, f"Bearer tests.{number}"),
                await _status(console, f"Bearer {TOKEN}"),
                await _status(console, ""),
            )
            for number in range(40)
        ]
    assert {wrong for wrong, _, _ in statuses} == {401, 429}
    assert {(right, missing) for _, right, missing in statuses} == {(200, 401)}


async def test_a_short_secret_is_not_guessed(tmp_path: Path) -> None:
    """While its address has to wait, a secret that guesses might find is refused like a wrong one."""
    file = tmp_path / "tokens.toml"
    file.write_text(f'[[tokens]]\nname = "ann"\ndigest = "{digest_of("ann.secret")}"\n')
    async with running(tokens=TokenFile(file)) as console:
        assert await _status(console, "Bearer ann.secret") == 200
        pairs = [
            (await _status(console, f"Bearer ann.{number}"), await _status(console, "Bearer ann.secret"))
            for number in range(40)
        ]
    # The next second may begin between the two.
    assert sum(pair == (429, 429) for pair in pairs) > 20


async def test_wrong_passwords_of_a_network_count_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """One caller may own all addresses of a network."""
    monkeypatch.setattr(passwords, "_second", lambda: 7)
    check = passwords.required(TokenFile(TOKENS), lambda _reason: None)
    statuses = [await _refusal(check, f"2001:db8::{number:x}") for number in range(8)]
    assert statuses == [401] * 5 + [429] * 3
    assert await _refusal(check, "2001:db8:0:1::1") == 401


async def _refusal(check: Middleware, address: str) -> int:
    async def handler(_request: web.Request) -> web.StreamResponse:
        raise AssertionError

    headers = {"Authorization": "Bearer tests.wrong"}
    request = make_mocked_request("GET", "/", headers=headers).clone(remote=address)
    with pytest.raises(web.HTTPException) as refused:
        await check(request, handler)
    return refused.value.status


async def test_the_public_metrics_ask_too() -> None:
    """/metrics on the public port needs a token; the game and the probes need none."""
    async with running(tokens=TokenFile(TOKENS), public_metrics=True) as console:
        for path in ("/metrics", "/%6detrics"):
            async with console.public.get(path) as answer:
                assert answer.status == 401
        async with console.public.get("/metrics", headers=HEADERS) as answer:
            assert answer.status == 200 and "gateway_moves_total" in await answer.text()
        for path in ("/", "/healthz", "/readyz"):
            async with console.public.get(path) as answer:
                assert answer.status == 200
        await console.play("a", range(1))


def test_five_wrong_passwords_a_second_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each address has its own number, reset each second."""
    failures = passwords._Failures()
    for second in (7, 8):
        monkeypatch.setattr(passwords, "_second", lambda now=second: now)
        for _ in range(5):
            assert not failures.are_too_many("here")
            failures.add("here")
        assert failures.are_too_many("here") and not failures.are_too_many("there")
    monkeypatch.setattr(passwords, "_second", lambda: 9)
    assert not failures.are_too_many("here")


def test_the_addresses_of_the_newest_wrong_passwords_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A caller with many addresses can't fill the memory."""
    monkeypatch.setattr(passwords, "_second", lambda: 7)
    monkeypatch.setattr(passwords, "MAX_ADDRESSES", 2)
    failures = passwords._Failures()
    for address in ("a", "b", "a", "c"):
        for _ in range(5):
            failures.add(address)
    assert [failures.are_too_many(address) for address in "abc"] == [True, False, True]
