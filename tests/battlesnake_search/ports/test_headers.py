"""The headers of answers."""

import base64
import hashlib
import re

import pytest

from battlesnake_search.ports.bounds import PortBounds
from tests.battlesnake_search.ports.port import serving
from tests.gateway import scripted_searcher

PATHS = ("/", "/healthz", "/readyz", "/metrics", "/nowhere", "/move")


@pytest.mark.parametrize("path", PATHS)
async def test_every_public_answer_has_strict_headers(path: str) -> None:
    """In any answer of the public port, nothing is guessed, framed, kept, shared with other sites or set."""
    asked = {"Accept": "text/html", "Origin": "http://evil.example"}
    async with scripted_searcher.gateway("127.0.0.1:1") as client, client.get(path, headers=asked) as answer:
        headers = answer.headers
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer" and headers["Cache-Control"] == "no-store"
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert not [name for name in headers if name.startswith("Access-Control-") or name == "Set-Cookie"]


async def test_the_welcome_page_has_the_style_that_its_policy_allows() -> None:
    """The style sheet of the page is allowed by its digest, and nothing else in it is style or script."""
    asked = {"Accept": "text/html"}
    async with scripted_searcher.gateway("127.0.0.1:1") as client, client.get("/", headers=asked) as answer:
        page, policy = await answer.text(), answer.headers["Content-Security-Policy"]
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}';" in policy and "script-src" not in policy
    assert "<script" not in page and "style=" not in page


@pytest.mark.parametrize(
    "sent", [b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"no HTTP\r\n\r\n"], ids=["HTTP", "none"]
)
async def test_no_version_is_named(sent: bytes) -> None:
    """Neither answers nor errors of the parser name the versions of Python and aiohttp."""
    async with serving(PortBounds()) as port:
        caller = await port.call(sent)
        head = (await caller.reader.readuntil(b"\r\n\r\n")).lower()
    assert b"server: battlesnake\r\n" in head and b"aiohttp" not in head and b"python" not in head
