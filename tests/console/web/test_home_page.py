"""The first page of the console in a real browser."""

import asyncio
import json
import os
import signal
from pathlib import Path

import pytest

from tests.console.web.console import running
from tests.support.admin import TOKEN
from tests.support.browser import DESKTOP, Page
from tests.support.services import free_port, gateway_process, wait_for_console

GONE = "document.body.classList.contains('gone')"


def _restarts(service: str, number: int) -> str:
    return f"document.getElementById('moves').textContent.includes('{service} restarts{number}')"


def _pid(log: Path, service: str) -> int:
    """Return the id of a gateway's newest child process of a service."""
    lines = [json.loads(line) for line in log.read_text().splitlines() if '"pid"' in line]
    return int([line["pid"] for line in lines if line["event"] == f"{service} started"][-1])


@pytest.mark.usefixtures("compiled")
def test_a_console_that_is_gone_is_red(page: Page, tmp_path: Path) -> None:
    """A console that hangs, ends or comes back is noticed without a reload. So are restarts of a service."""
    address = f"127.0.0.1:{free_port()}"
    settings = {"ADMIN": address, "OUTCOMES_URL": str(tmp_path / "games.sqlite")}
    page.leave()
    with gateway_process(tmp_path / "log", **settings) as gateway:
        wait_for_console(address)
        # The user types this in, and the browser stores it.
        page.visit("http://{}:{}@{}/".format(*TOKEN.split(".", 1), address), DESKTOP)
        page.visit(f"http://{address}/", DESKTOP)
        page.wait(
            f"document.querySelector('#health .good') !== null && !{GONE} && {_restarts('searcher', 0)}"
        )
        # The gateway ends a console that does not answer, and starts it again.
        os.kill(_pid(tmp_path / "log", "console"), signal.SIGSTOP)
        page.wait(GONE)
        page.wait(f"!{GONE} && document.querySelectorAll('#health li').length > 2")
        page.wait(_restarts("console", 1))
        os.kill(_pid(tmp_path / "log", "searcher"), signal.SIGKILL)
        page.wait(_restarts("searcher", 1))
        gateway.process.kill()
        page.wait(GONE)
        assert page.do("document.title").startswith("Console gone")
        assert page.do("document.querySelectorAll('#health li').length") == 0
        assert page.do("problem.innerText").startswith("The console has not answered since ")
        red = page.do("getComputedStyle(problem).backgroundColor")
        assert red == "rgb(179, 38, 30)"
        assert page.violations() == []
    with gateway_process(tmp_path / "log", **settings):
        page.wait(f"!{GONE} && document.getElementById('problem').textContent === ''")
        page.leave()


async def test_an_unknown_address_leads_home(page: Page) -> None:
    """The page has the bar of all pages, names the address, and its link leads to Home."""
    async with running() as console:
        await asyncio.to_thread(_look_at_a_missing_page, page, console.url)


def _look_at_a_missing_page(page: Page, url: str) -> None:
    page.visit(f"{url}/deep/er?x=1", DESKTOP)
    page.wait("document.querySelectorAll('.top nav a').length >= 3")
    assert "There is nothing at /deep/er." in page.do("document.querySelector('main').innerText")
    assert page.violations() == []
    page.do("[...document.querySelectorAll('main a')].find(e => e.textContent === 'Back to Home').click()")
    page.wait("document.querySelectorAll('#health li').length > 0")
    page.leave()
