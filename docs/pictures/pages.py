"""Takes pictures of pages that the arena has drawn, in a headless Chromium.

Usage: python -m docs.pictures.pages PAGE.html...

A picture is beside this file and has the name of its page.
"""

import sys
from pathlib import Path

from docs.pictures.screen import hide_scroll_bars, save
from tests.support import browser

_SIZE = (1000, 900)


def main() -> None:
    """Take a picture of the top of each page of the command line."""
    with browser.running() as page:
        page.prefer("light")
        hide_scroll_bars(page)
        for file in map(Path, sys.argv[1:]):
            page.visit(file.resolve().as_uri(), _SIZE)
            page.wait("document.readyState === 'complete'")
            save(page, Path(__file__).parent / f"{file.stem}.png")


if __name__ == "__main__":
    main()
