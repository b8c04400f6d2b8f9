"""Saves the visible part of a page."""

import base64
from pathlib import Path

from tests.support.browser import Page


def hide_scroll_bars(page: Page) -> None:
    """Leave the whole width of the screen to the pages that are opened from now on."""
    page.driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})


def save(page: Page, file: Path) -> None:
    """Save the page as far as the screen shows it, as PNG."""
    taken = page.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    file.write_bytes(base64.b64decode(taken["data"]))
    print(f"{file}: {file.stat().st_size:,} bytes")
