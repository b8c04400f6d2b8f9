"""The page in a real browser: replays, keys, buttons, addresses, and a phone."""

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from arena.games.boards import replayed
from arena.records import Match
from arena.report.wording import MINUS
from searcher.engine.position import Point, Position
from tests.arena.report.conftest import HOSTILE
from tests.support.browser import DESKTOP, PHONE, Page, Shown

Files = dict[str, Path]


def texts(points: tuple[Point, ...]) -> list[str]:
    """Points as the page writes them, sorted."""
    return sorted(f"{x},{y}" for x, y in points)


def bodies(position: Position) -> dict[str, str]:
    """The snakes of a position as the page writes them."""
    return {snake.id: " ".join(f"{x},{y}" for x, y in snake.body) for snake in position.snakes}


@pytest.fixture(autouse=True)
def quiet(page: Page) -> None:
    """Clear the browser's logs of earlier tests."""
    page.leave()
    page.requests()


@pytest.mark.parametrize("name", ["royale", "maze"])
def test_the_board_shows_every_turn_of_a_game(
    page: Page, files: Files, name: str, request: pytest.FixtureRequest
) -> None:
    """Stepping through a game by keys shows the snakes, food and hazards of every turn."""
    match: Match = request.getfixturevalue(name)
    page.open(files[name], "#game=1.2&turn=0")
    for turn, position in enumerate(replayed(match.setup.rules, match.blocks[1].games[1])):
        assert page.shown() == Shown(turn, bodies(position), texts(position.food), texts(position.hazards))
        page.press(Keys.ARROW_RIGHT)
    assert not page.complaints()


def test_snakes_are_drawn_where_they_are(page: Page, files: Files, duel: Match) -> None:
    """The lines of a body go through the centres of its cells, counted from the bottom left."""
    position = list(replayed(duel.setup.rules, duel.blocks[0].games[0]))[4]
    page.open(files["duel"], "#game=0.1&turn=4")
    for snake in position.snakes:
        points = page.do(
            f"document.querySelector('.snake[data-snake=\"{snake.id}\"] .body').getAttribute('points')"
        )
        drawn = [tuple(float(number) for number in point.split(",")) for point in points.split()]
        unfolded = list(dict.fromkeys(snake.body))
        assert drawn == [(x + 0.5, 11 - y - 0.5) for x, y in unfolded][: len(drawn)]
        assert len(drawn) == len(unfolded) - (len(snake.body) == len(unfolded))


def test_keys_and_buttons_navigate(page: Page, files: Files, duel: Match) -> None:
    """Keys and buttons step and jump, and change the game. The address follows."""
    last = len(duel.blocks[0].games[1].turns)
    page.open(files["duel"], "#game=0.2&turn=3")
    for keys, turn in ((Keys.ARROW_LEFT, 2), (Keys.END, last), (Keys.ARROW_RIGHT, last), (Keys.HOME, 0)):
        page.press(keys)
        assert page.turn == turn
    page.press(Keys.ARROW_RIGHT, shifted=True)
    assert page.turn == min(10, last)
    for part, turn in (("first", 0), ("next", 1), ("back", 0), ("last", last)):
        page.part(part).click()
        assert page.turn == turn
    page.press(Keys.ARROW_DOWN)
    page.wait("location.hash === '#game=1.1&turn=0'")
    page.press(Keys.ARROW_UP)
    page.wait("location.hash === '#game=0.2&turn=0'")
    page.part("next-game").click()
    page.wait("document.querySelector('[data-part=game]').value === '1.1'")
    assert not page.complaints()


def test_each_turn_shows_the_reports_of_players(page: Page, files: Files, duel: Match) -> None:
    """A card shows move, depth, nodes, score, time, fault and the principal variation."""
    game = duel.blocks[0].games[0]
    turn, decision = next(
        (index, turn.decisions[0])
        for index, turn in enumerate(game.turns)
        if turn.decisions[0] and turn.decisions[0].pv
    )
    assert decision is not None and decision.score is not None
    page.open(files["duel"], f"#game=0.1&turn={turn}")
    card = page.driver.find_element(By.CSS_SELECTOR, ".card")
    assert card.find_element(By.CLASS_NAME, "name").text == HOSTILE
    assert card.find_element(By.CLASS_NAME, "move").text.endswith(decision.move)
    assert card.find_element(By.CLASS_NAME, "depth").text == str(decision.depth)
    assert card.find_element(By.CLASS_NAME, "nodes").text == f"{decision.nodes:,}"
    assert card.find_element(By.CLASS_NAME, "score").text == f"{decision.score:+.3f}".replace("-", MINUS)
    assert card.find_element(By.CLASS_NAME, "time").text == f"{decision.milliseconds:.1f} ms"
    arrows = "".join("↑↓←→"["udlr".index(letters[0])] for letters in decision.pv)
    assert card.find_element(By.CLASS_NAME, "variation").text == f"expects {arrows}"


def test_deaths_are_marked_with_their_cause(page: Page, files: Files, royale: Match) -> None:
    """The turn after a death shows its place and cause, on the board and on the snake's card."""
    game = royale.blocks[0].games[0]
    snake, death = next((index, death) for index, death in enumerate(game.deaths) if death)
    page.open(files["royale"], f"#game=0.1&turn={death.turn + 1}")
    assert page.do(f"document.querySelector('.fallen[data-snake=\"{snake}\"]').dataset.cause") == death.cause
    state = page.do(f"document.querySelectorAll('.card')[{snake}].querySelector('.state').textContent")
    assert state.startswith(f"died in turn {death.turn + 1}: ")


def test_the_picker_filters_games(page: Page, files: Files, duel: Match) -> None:
    """The filter for wins of one side lists those games only, with result and length."""
    page.open(files["duel"])
    wins = page.do(
        "(() => { const filter = document.querySelector('[data-part=filter]'); filter.value = 'won-0';"
        " filter.dispatchEvent(new Event('change'));"
        " return [...document.querySelector('[data-part=game]').options].map(o => o.text); })()"
    )
    won = [
        f"{block.number}.{number} · {HOSTILE} won · {len(game.turns)} turns"
        for block in duel.blocks
        for number, game in enumerate(block.games, 1)
        if game.deaths[game.seats.index(0)] is None
    ]
    assert [text.partition(" turns")[0] + " turns" for text in wins] == won


def test_an_unknown_game_in_the_address_is_reported(page: Page, files: Files) -> None:
    """An unknown game in the address is named, and the first game is shown."""
    page.open(files["duel"], "#game=99.1&turn=5")
    assert page.part("problem").text == "There is no game 99.1 in this match."
    assert page.turn == 0


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", ["duel", "gauntlet"])
def test_nothing_is_wider_than_the_screen(page: Page, files: Files, name: str, size: tuple[int, int]) -> None:
    """The page does not scroll sideways, and controls on a phone are large enough for a finger."""
    page.open(files[name], "#game=0.1&turn=3", size)
    assert page.do("document.documentElement.scrollWidth") <= size[0]
    smallest = page.do(
        "Math.min(...[...document.querySelectorAll('.controls button, .pick button, select')]"
        ".filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect())"
        ".map(box => Math.min(box.height, box.width)))"
    )
    assert smallest >= (44 if size == PHONE else 36)
    assert not page.complaints()


def test_nothing_is_fetched_and_no_name_is_run(page: Page, files: Files) -> None:
    """The page requests nothing but itself, and shows a name that is a script as text."""
    page.open(files["duel"])
    assert page.requests() - {"about:blank", "data:,"} == {files["duel"].as_uri()}
    assert HOSTILE in page.driver.find_element(By.TAG_NAME, "h1").text
    assert not page.complaints()


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["light", "dark"])
def test_the_page_is_accessible(page: Page, files: Files, size: tuple[int, int], scheme: str) -> None:
    """Axe finds nothing in the whole page, in light and dark."""
    page.prefer(scheme)
    page.open(files["royale"], "#game=0.1&turn=3", size)
    page.press("v", "t")
    assert page.violations() == []
