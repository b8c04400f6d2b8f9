"""The buttons for films on the page of a game, in a real browser."""

import asyncio
import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from battlesnake_search.record import extras
from console.store.database import read_database
from tests.console.web.console import running
from tests.console.web.script import duel
from tests.console.web.test_films import recorded
from tests.support.browser import DESKTOP, Page

SAID = "document.querySelector('[data-part=said]').textContent"

BEGINNINGS = {"html": "<!doctype html>", "gif": "GIF89a", "mp4": "\0\0\0"}


async def test_a_click_saves_the_game(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each button saves a file of its form. A refusal is told. A form without its libraries is dimmed."""
    file = await recorded(tmp_path)
    async with running(outcomes=read_database(str(file))) as console:
        address = f"{console.url}/game.html?game={duel().id}"
        await asyncio.to_thread(_save_all, page, address)
        with monkeypatch.context() as lacking:
            lacking.setattr(
                extras, "find_spec", lambda name: None if name in ("PIL", "av") else find_spec(name)
            )
            await asyncio.to_thread(_lack, page, address)


def _save_all(page: Page, address: str) -> None:
    page.leave()
    page.visit(address, DESKTOP)
    page.wait("document.querySelector('[data-part=mp4]') !== null")
    # The page's policy lets no script read the file by its address.
    page.do(
        "(() => { window.saved = {}; let blob; const create = URL.createObjectURL;"
        "URL.createObjectURL = made => { blob = made; return create(made); };"
        "HTMLAnchorElement.prototype.click = function () {"
        "  blob.text().then(text => { saved[this.download] = text; });"
        "}; })()"
    )
    for form, beginning in BEGINNINGS.items():
        page.do(f"document.querySelector('[data-part={form}]').click()")
        page.wait(f"{SAID} === 'Saved the game as {form.upper()}.'")
        name = f"{duel().id}.{form}"
        page.wait(f"saved['{name}'] !== undefined")
        assert page.do(f"saved['{name}']").startswith(beginning)
    assert page.complaints() == []


def _lack(page: Page, address: str) -> None:
    # The page was loaded before the libraries were missing.
    page.do("document.querySelector('[data-part=gif]').click()")
    page.wait(f"{SAID}.startsWith('this console makes no GIF: ')")
    page.leave()
    page.visit(address, DESKTOP)
    page.wait("document.querySelectorAll('.word[aria-disabled=true]').length === 2")
    assert page.do("document.querySelector('[data-part=html]').ariaDisabled") is None
    for form in ("gif", "mp4"):
        reason = page.do(f"document.querySelector('[data-part={form}]').title")
        assert reason.startswith(f"this console makes no {form.upper()}: PIL, av not installed: run ")
        page.do(f"document.querySelector('[data-part={form}]').click()")
        page.wait(f"{SAID} === {json.dumps(reason)}")
