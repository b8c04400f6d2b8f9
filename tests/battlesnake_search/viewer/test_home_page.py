"""The console's first page in a real browser."""

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.battlesnake_search.viewer.console import Console, Json
from tests.battlesnake_search.viewer.test_game_page import PHONE
from tests.support.browser import DESKTOP, Page

LIST = "document.querySelectorAll('#last a').length"


def visit(page: Page, console: Console, size: tuple[int, int] = DESKTOP) -> None:
    """Open the page, and wait for its lists."""
    page.visit(f"{console.address}/index.html", size)
    page.wait("document.querySelectorAll('#last li, #searchers li').length >= 2")


def texts(page: Page, selector: str) -> list[str]:
    """The texts of elements, read at once because the page may redraw its lists at any time."""
    found: list[str] = page.do("[...document.querySelectorAll(arguments[0])].map(e => e.innerText)", selector)
    return found


def test_it_shows_what_is_served(page: Page, console: Console) -> None:
    """Health, snakes, searchers, arms of experiments, and the last games, of which a click opens one."""
    visit(page, console)
    assert texts(page, "#health li") == ["2 searchers serving", "1 game now", "812 games kept"]
    assert texts(page, "#snakes code") == ["http://192.0.2.7:8000/", "http://192.0.2.7:8000/cautious"]
    assert "plays crowd/hungry" in texts(page, "#snakes li")[0]
    assert texts(page, "#searchers strong") == ["unix:/run/searcher.sock", "192.0.2.8:50051"]
    assert texts(page, "#experiments .arms li")[0] == "control crowd/hungry · 50 % of games"
    page.wait(f"{LIST} === 1")
    assert texts(page, "#last .result") == ["won"]
    page.do("document.querySelector('#last a').click()")
    page.wait("document.querySelector('.decision') !== null")
    assert console.whole["id"] in page.driver.current_url


def test_games_now_are_small_boards_that_move(page: Page, console: Console) -> None:
    """A running game is drawn turn by turn. At its end it joins the last games, and so does the focus."""
    game = console.start_live(20)
    console.games[console.start_live(19)]["idle_s"] = 250.0
    visit(page, console)
    page.wait("document.querySelector('#now .count')?.textContent === 'Turn 19'")
    # A game without a request and without an end is no game of now.
    assert texts(page, "#last .result") == ["no move for 4 min", "won"]
    WebDriverWait(page.driver, 10).until(lambda _: console.watched(""))
    console.play_live(game)
    page.wait("document.querySelector('#now .count').textContent === 'Turn 20'")
    page.do("document.querySelector('#now a').focus()")
    console.end_live(game)
    page.wait(f"{LIST} === 3")
    page.wait("document.querySelector('#now li')?.textContent === 'No game is being played.'")
    page.wait(f"document.activeElement.closest('#last') && document.activeElement.href.includes('{game}')")
    assert not page.complaints()


def test_results_name_the_winner_unless_others_played_us(page: Page, console: Console) -> None:
    """A game of our snakes alone, or of others alone, has a winner. A game may be broken off, or go on."""
    console.overview = console.overview | {"replay_servers": []}
    snakes = console.whole["snakes"]
    winner = console.whole["result"]["winner"]
    for id_, ours in (("all", True), ("none", False)):
        theirs = [snake | {"ours": ours} for snake in snakes]
        console.games[id_] = console.whole | {"id": id_, "snakes": theirs}
    console.games["broken"] = console.whole | {"id": "broken", "result": None}
    console.games["far"] = console.whole | {"id": "far", "result": None, "source": "running"}
    visit(page, console)
    page.wait(f"{LIST} === 5")
    name = f"{snakes[winner]['name']} won"
    assert texts(page, "#last .result") == ["goes on", "broken off", name, name, "won"]
    assert not page.driver.find_element(By.ID, "import-panel").is_displayed()


def test_a_game_of_a_server_opens(page: Page, console: Console) -> None:
    """An address leads to the game's page. Without a game, the page shows the reason."""
    visit(page, console)
    assert texts(page, "#import-note") == ["From arena.battlesnake.com."]
    field = page.driver.find_element(By.ID, "import-address")
    field.send_keys("https://arena.battlesnake.com/games/x", Keys.ENTER)
    page.wait("document.getElementById('import-said').textContent.endsWith('has no game x')")
    field.clear()
    field.send_keys(f"https://arena.battlesnake.com/games/{console.whole['id']}", Keys.ENTER)
    page.wait("document.querySelector('.decision') !== null")
    assert console.whole["id"] in page.driver.current_url


def test_a_new_user_has_no_games(page: Page, console: Console) -> None:
    """Without games the page shows the next steps."""
    console.games.clear()
    visit(page, console)
    page.wait("document.querySelector('#last li').textContent.startsWith('No game has ended yet. Register')")


def test_the_page_is_accessible(page: Page, console: Console) -> None:
    """Axe finds nothing in the dark, nothing scrolls sideways, and Tab reaches live and last games."""
    console.start_live(30)
    page.prefer("dark")
    visit(page, console)
    page.wait("document.querySelector('#now .cells') !== null")
    assert page.violations() == []
    assert page.do("document.documentElement.scrollWidth") <= DESKTOP[0]
    reached = set()
    for _ in range(30):
        page.press(Keys.TAB)
        reached.add(page.do("document.activeElement.closest('ul')?.id ?? ''"))
    assert {"now", "last", "snakes"} <= reached
    assert not page.complaints()


MOVES = {
    "since": "2026-11-23T04:00:00Z",
    "answered": 12345,
    "late": 2,
    "best_so_far": 3,
    "reflexes": 4,
    "median_ms": 431.2,
    "p99_ms": 470.0,
    "searcher_restarts": 1,
    "console_restarts": 2,
}


def test_operators_see_late_answers_times_and_the_database(page: Page, console: Console) -> None:
    """The figures of the last hour have their names. Faults, restarts and a lost database are red."""
    lost = "lost since 2026-11-23 04:09:47 UTC: OperationalError: (sqlite3.OperationalError) no file"
    database = {"state": lost, "lost": True, "waiting": 12}
    searchers = [console.overview["searchers"][0], {"address": "gone:1", "serving": False}]
    reason, compiling = "faulty evaluator raising: ValueError: no", "compiles code: 3 of 9 functions in 0 s"
    readiness = {"status": "not ready", "reason": reason, "compiling": [compiling]}
    # Snakes at the same path of two gateways have a row each.
    snakes = [console.overview["snakes"][0] | {"url": f"http://192.0.2.{number}:8000/"} for number in (7, 8)]
    known = {"moves": MOVES, "database": database, "started_at": MOVES["since"], "searchers": searchers}
    known |= {"gateways": 2, "snakes": snakes}
    console.overview = console.overview | known | {"counts": {"lost_records": 3}, "readiness": readiness}
    visit(page, console)
    page.wait("document.querySelectorAll('#moves div').length === 8")
    figures = dict(zip(texts(page, "#moves dt"), texts(page, "#moves dd"), strict=True))
    assert (figures["answered"], figures["late"], figures["best so far"]) == ("12,345", "2", "3")
    assert (figures["median"], figures["99 of 100 within"]) == ("431\u00a0ms", "470\u00a0ms")
    assert texts(page, "#moves .bad dt") == ["late", "searcher restarts", "console restarts"]
    assert set(texts(page, "#health .bad")) == {
        "Database lost since 2026-11-23 04:09:47 UTC, 12 records waiting",
        "1 of 2 searchers serving",
        "3 records lost",
        reason,
    }
    assert compiling in texts(page, "#health .good")
    assert texts(page, "#health li")[0].startswith("2 gateways, the first one up for ")
    assert page.violations() == []
    assert texts(page, "#snakes code") == [snake["url"] for snake in snakes]


def _add_games(console: Console, number: int, **facts: object) -> None:
    for each in range(number):
        id_ = f"{facts.get('id', 'g')}{each}"
        console.games[id_] = console.whole | {"turns": []} | facts | {"id": id_}


def _others(console: Console, opponent: str, arm: str = "main") -> list[Json]:
    """The snakes of the recorded game, the others with this name."""
    return [
        snake | ({"arm": arm, "experiment": "x"} if snake["ours"] else {"name": opponent})
        for snake in console.whole["snakes"]
    ]


def test_games_are_filtered_and_counted(page: Page, console: Console) -> None:
    """A filter shows its games and their results, stays in the address, and can be cleared."""
    ours = next(number for number, snake in enumerate(console.whole["snakes"]) if snake["ours"])
    lost = {"winner": (ours + 1) % 4, "turns": 9}
    death = {"snake": ours, "cause": "wall-collision", "by": None}
    _add_games(console, 3, snakes=_others(console, "Bob"))
    _add_games(console, 2, id="h", snakes=_others(console, "Zoë", "other"), result=lost, deaths=[death])
    visit(page, console)
    page.wait(f"{LIST} === 6 && document.querySelectorAll('#results table').length === 3")
    assert "x/main 3 0" in " ".join(texts(page, "#results table")[0].split())
    assert "wall 2" in " ".join(texts(page, "#results table")[2].split())
    assert "wall" in texts(page, "#last .names")[0]
    field = page.driver.find_element(By.NAME, "opponent")
    field.send_keys("zo")
    page.wait(f"{LIST} === 2")
    page.wait("document.getElementById('said').textContent === '2 games of 6'")
    assert page.do("document.activeElement.name") == "opponent"
    assert page.do("location.search") == "?opponent=zo"
    page.driver.refresh()
    page.wait(f"{LIST} === 2 && document.getElementById('found').textContent === '2 games of 6'")
    page.do("document.getElementById('clear').click()")
    page.wait(f"{LIST} === 6")
    page.do("[...document.querySelectorAll('#results a')].find(e => e.innerText === 'wall').click()")
    page.wait(f"{LIST} === 2")
    assert page.do("document.activeElement.name") == "cause"
    assert page.do("document.activeElement.selectedOptions[0].text") == "wall"
    assert not page.complaints()


def test_a_list_stays_as_it_is_when_a_game_starts(page: Page, console: Console) -> None:
    """It keeps its length, its place and its focus, also after older games were added."""
    _add_games(console, 50)
    visit(page, console)
    page.wait(f"{LIST} === 20 && document.querySelectorAll('#health li').length > 2")
    page.driver.find_element(By.ID, "more").send_keys(Keys.ENTER)
    page.wait(f"{LIST} === 40")
    assert page.do("document.activeElement.id") == "more"
    WebDriverWait(page.driver, 10).until(lambda _: console.watched(""))
    page.do("document.querySelectorAll('#last a')[24].focus({preventScroll: true})")
    place = "document.getElementById('last').getBoundingClientRect().top + scrollY"
    before, focused = page.do(place), page.do("document.activeElement.href")
    game = console.start_live(20)
    page.wait("document.querySelector('#now .count')?.textContent === 'Turn 19'")
    assert page.do(LIST) == 40
    assert page.do(place) == before and page.do("document.activeElement.href") == focused
    console.end_live(game)
    page.wait(f"document.querySelector('#last a').href.includes('{game}')")
    assert page.do(LIST) == 40 and page.do("document.activeElement.href") == focused


NAMES = ["x" * 200, "\u202eevil \u05e9\u05dc\u05d5\u05dd", "\N{SNAKE}" * 100, "ordinary words " * 12]


def _spoken(name: str) -> str:
    """A name without marks of direction."""
    return name.replace("\u202e", "").strip()


def test_no_name_breaks_a_list(page: Page, console: Console) -> None:
    """Long names are cut, whole names are their titles, and no name turns the text around it."""
    snakes = [snake | {"name": name} for snake, name in zip(console.whole["snakes"], NAMES, strict=True)]
    console.games["odd"] = console.whole | {"id": "odd", "snakes": snakes}
    console.games[live := console.start_live(20)]["snakes"] = snakes
    console.overview = console.overview | {
        "snakes": [console.overview["snakes"][0] | {"name": NAMES[0]}],
        "experiments": [{"name": NAMES[3], "arms": [{"name": NAMES[0], "strategy": "", "share": 0.5}] * 2}],
    }
    visit(page, console, PHONE)
    page.wait(f"{LIST} === 2 && document.querySelector('#now .count')?.textContent === 'Turn 19'")
    assert page.do("document.documentElement.scrollWidth") <= PHONE[0]
    for list_ in ("last", "now"):
        titles = page.do(f"[...document.querySelectorAll('#{list_} bdi')].map(e => e.title)")
        assert {_spoken(title) for title in titles} >= set(map(_spoken, NAMES))
    assert page.do("document.querySelector('#last li').offsetHeight") < 200
    assert page.violations() == []
    assert live in page.do("document.querySelector('#now a').href")


def test_changes_are_silent_and_keep_the_focus(page: Page, console: Console) -> None:
    """Turns, boards and figures change without a word in a live region, and without a new button.

    Only a fault is said.
    """
    game = console.start_live(20)
    visit(page, console)
    page.wait("document.querySelector('#now .count')?.textContent === 'Turn 19'")
    WebDriverWait(page.driver, 10).until(lambda _: console.watched(""))
    page.driver.execute_script(
        "window.said = []; const seen = {childList: true, characterData: true, subtree: true};"
        "document.querySelectorAll('[role=status], [role=alert], [aria-live]').forEach(each => "
        "new MutationObserver(() => said.push(each.textContent)).observe(each, seen));"
    )
    for turn in range(20, 30):
        console.play_live(game)
        page.wait(f"document.querySelector('#now .count').textContent === 'Turn {turn}'")
    page.do("document.querySelectorAll('#snakes button')[1].focus()")
    assert page.do("said") == []
    console.overview = console.overview | {"counts": {"games_kept": 813, "lost_records": 3}}
    page.wait("document.getElementById('health').textContent.includes('813 games kept')")
    page.wait("said.length > 0")
    assert page.do("said") == ["3 records lost"]
    assert page.do("document.activeElement === document.querySelectorAll('#snakes button')[1]")
