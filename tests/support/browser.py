"""A real headless browser that opens pages: files, and those of a server."""

import asyncio
import gzip
import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from selenium.common.exceptions import SessionNotCreatedException, WebDriverException
from selenium.webdriver import ActionChains, Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

DESKTOP = (1280, 900)
PHONE = (360, 740)
WIDEST_PHONE = 500
PATIENCE = 60.0
"""Seconds after which an expected change of the page has failed."""

ARGUMENTS = (
    *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"),
    # Fewer processes: a quarter less processor time. Each test has a server, and so a site, of its own.
    *("--in-process-gpu", "--disable-site-isolation-trials", "--renderer-process-limit=1"),
)

PROGRAM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The browser, if it is installed. The one without windows takes a quarter less processor time."""

_AXE = Path(__file__).parents[1] / "fixtures" / "axe" / "axe-4.14.1.min.js.gz"


@dataclass(frozen=True)
class Shown:
    """A board in the page: its turn, the cells of each living snake, head first, and the others, sorted.

    A cell is "x,y"; the cells of a body are separated by spaces.
    """

    turn: int
    bodies: dict[str, str]
    food: list[str]
    hazards: list[str]


_SHOWN = """(() => {
    const found = kind => [...document.querySelectorAll(`.${kind} [data-cell]`)];
    const cells = kind => found(kind).map(e => e.dataset.cell).sort();
    const snakes = [...document.querySelectorAll('.snake')].map(e => [e.dataset.snake, e.dataset.cells]);
    const turn = Number(document.querySelector('[data-part=turn]').textContent.split(' ')[1]);
    return [turn, Object.fromEntries(snakes), cells('food'), cells('hazards')];
})()"""

_LOOK = """return new Promise(found => {
    const holds = () => {
        try {
            return CONDITION;
        } catch {
            // An element that is not there yet.
            return false;
        }
    };
    const look = () => holds() ? found(true) : setTimeout(look, 10);
    look();
})"""

_CHANGED = "net::ERR_NETWORK_CHANGED"
"""The error of requests that Chromium gives up because a container has got or lost a network."""

_VISITS = 20
"""The most attempts to open a page whose scripts were given up."""

_STARTS = 5
"""The most attempts to start the browser."""

_NAVIGATION = re.compile("document unloaded|aborted by navigation|cannot find context")
"""The texts of errors if another page has been opened meanwhile."""


class Page:
    """A page, open in the browser."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver
        self._said: list[str] = []
        """The messages of the browser's console that `complaints` has not returned yet."""

    def open(self, file: Path, address: str = "", size: tuple[int, int] = DESKTOP) -> None:
        """Open a file afresh, at an address in it, on a screen of this size, and wait for the board."""
        self.visit(file.as_uri() + address, size)
        self.wait("document.querySelector('.cells') !== null")

    def visit(self, url: str, size: tuple[int, int] = DESKTOP) -> None:
        """Open an address afresh on a screen of this size."""
        mobile = size[0] < WIDEST_PHONE
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": mobile}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        for _ in range(_VISITS):
            self.driver.get("about:blank")
            self.driver.get(url)
            said = self._messages()
            self._said += [each for each in said if _CHANGED not in each]
            if not any(_CHANGED in each for each in said):
                break

    def prefer(self, scheme: str) -> None:
        """Make the system's colour scheme light or dark."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def do(self, script: str, *arguments: Any) -> Any:
        """The value of a JavaScript expression in the page."""
        return self.driver.execute_script(f"return {script}", *arguments)

    def wait(self, script: str) -> None:
        """Wait until an expression is true, also across pages."""
        deadline = time.monotonic() + PATIENCE
        while not self._becomes(script):
            assert time.monotonic() < deadline, script

    def _becomes(self, script: str) -> bool:
        """Wait in the page until an expression is true. Return False if another page is opened before.

        The page looks for itself, because each call of the driver takes far more time.
        """
        try:
            return bool(self.driver.execute_script(_LOOK.replace("CONDITION", script)))
        except WebDriverException as error:
            if _NAVIGATION.search(error.msg or ""):
                return False
            raise

    def part(self, name: str) -> WebElement:
        """A part of the viewer."""
        return self.driver.find_element(By.CSS_SELECTOR, f'[data-part="{name}"]')

    def press(self, *keys: str, shifted: bool = False) -> None:
        """Press keys, wherever the focus is."""
        actions = ActionChains(self.driver, duration=0)
        if shifted:
            actions.key_down(Keys.SHIFT).send_keys(*keys).key_up(Keys.SHIFT)
        else:
            actions.send_keys(*keys)
        actions.perform()

    @property
    def turn(self) -> int:
        """The turn that is shown."""
        return int(self.part("turn").text.split()[1])

    def shown(self) -> Shown:
        """The board that is shown."""
        return Shown(*self.do(_SHOWN))

    def violations(self) -> list[str]:
        """The findings of axe-core against WCAG 2.2 AA and its best practices, with their elements."""
        self.driver.execute_script(gzip.decompress(_AXE.read_bytes()).decode())
        found = self.driver.execute_async_script(
            "const done = arguments[0]; axe.run().then(result => done(result.violations))"
        )
        return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]

    def leave(self) -> None:
        """Leave the open page, and forget what it has written to the browser's console.

        A page that stays open complains when its server ends.
        """
        self.driver.get("about:blank")
        self.complaints()

    def complaints(self) -> list[str]:
        """The messages of the browser's console since the last call."""
        said = [*self._said, *(each for each in self._messages() if _CHANGED not in each)]
        self._said.clear()
        return said

    def _messages(self) -> list[str]:
        return [entry["message"] for entry in self._log("browser")]

    def requests(self) -> set[str]:
        """All addresses requested since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        return {
            event["params"]["request"]["url"].partition("#")[0]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        }

    def _log(self, name: str) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.driver.get_log(name)  # type: ignore[no-untyped-call]
        return entries


def missing() -> str | None:
    """The Debian package that is missing to start a browser, if any."""
    if PROGRAM is None:
        return "chromium-headless-shell"
    return None if shutil.which("chromedriver") else "chromium-driver"


async def look(url: str, folder: Path, *arguments: str) -> str:
    """Return the output of a browser that looks at a page once, as soon as the page is loaded.

    `--dump-dom` among the arguments writes the document, and `--screenshot=FILE` a picture to a file.
    """
    process = await asyncio.create_subprocess_exec(
        *(PROGRAM or "chromium", *ARGUMENTS, f"--user-data-dir={folder}", *arguments, url),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            return (await process.communicate())[0].decode()
    finally:
        if process.returncode is None:
            process.kill()


@contextmanager
def running() -> Iterator[Page]:
    """Run the browser."""
    options = ChromeOptions()
    options.binary_location = PROGRAM or ""
    for argument in ARGUMENTS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # What the browser leaves behind is removed.
    with TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as folder:
        driver = _started(options, folder)
        driver.set_script_timeout(PATIENCE)
        # On a busy machine the window may be without focus, and then no element gets the event.
        driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        try:
            yield Page(driver)
        finally:
            driver.quit()


def _started(options: ChromeOptions, folder: str) -> Chrome:
    """Start the browser, again if it ends at its start, as Chromium sometimes does on a busy machine."""
    environment = os.environ | {"TMPDIR": folder}
    for _ in range(_STARTS - 1):
        try:
            return Chrome(options, ChromeService(shutil.which("chromedriver"), env=environment))
        except SessionNotCreatedException as error:
            print(f"The browser did not start: {error.msg}")
    return Chrome(options, ChromeService(shutil.which("chromedriver"), env=environment))
