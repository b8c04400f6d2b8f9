"""Makes the pictures of README: the console's pages in a headless Chromium.

The game is a recorded one, the outcomes of the experiment are made up.

Usage: python -m docs.pictures.make [FOLDER]
"""

import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from console.store.database import OutcomesDatabase, read_database
from docs.pictures.screen import hide_scroll_bars, save
from tests.battlesnake_search.viewer.console import Console
from tests.battlesnake_search.viewer.made_up import fill, games, serve_experiments
from tests.support import browser

GAME, EXPERIMENTS = "game.png", "experiments.png"

_SIZE = (1200, 900)
_TURN = 57

_CHANCES = {"champion": 0.47, "hungrier": 0.63}
_GAMES = 700
_SEED = 3
_ENDED = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)


def main() -> None:
    """Write the pictures to the folder of the command line, by default the one of this file."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    with TemporaryDirectory() as temporary:
        database = read_database(str(Path(temporary) / "outcomes.sqlite"))
        fill(database, *games("hunger", _CHANCES, _GAMES, _ENDED, seed=_SEED))
        _take(folder, database)


def _take(folder: Path, database: OutcomesDatabase) -> None:
    with (
        Console(lambda app: serve_experiments(app, database)).serving() as console,
        browser.running() as page,
    ):
        page.prefer("light")
        hide_scroll_bars(page)
        page.visit(f"{console.address}/game.html?game={console.whole['id']}#turn={_TURN}", _SIZE)
        page.wait("document.querySelector('.candidates') !== null")
        page.part("territory").click()
        page.do("scrollTo(0, 0)")
        save(page, folder / GAME)
        page.visit(f"{console.address}/experiments.html", _SIZE)
        page.wait("document.querySelectorAll('.chart-picture').length === 5")
        save(page, folder / EXPERIMENTS)


if __name__ == "__main__":
    main()
