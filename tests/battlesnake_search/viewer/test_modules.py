"""The modules of the viewer, called in a real browser: the model of a game, the flood, the names."""

from typing import Any

import pytest

from tests.battlesnake_search.viewer.console import Console, Json
from tests.support.browser import Page

MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"

_RUN = """
    const [script, argument, done] = arguments;
    const load = name => import(`/viewer/${name}.js`);
    new Function("load", "argument", `return (async () => { ${script} })()`)(load, argument)
        .then(done, error => done(`error: ${error.message}`));
"""


@pytest.fixture
def run(page: Page, console: Console) -> Any:
    """A function that runs JavaScript in an empty page of the server, without its policy."""
    page.visit(f"{console.address}/viewer/words.js")
    page.driver.set_script_timeout(10)
    page.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
    page.driver.get(f"{console.address}/viewer/words.js")
    yield lambda script, argument=None: page.driver.execute_async_script(_RUN, script, argument)
    page.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})


def game_of(*snakes: list[list[int]] | None, ruleset: str = "standard", size: int = 5, **facts: Any) -> Json:
    """A game of one turn with these bodies, head first."""
    looks = [{"id": str(i), "name": "a", "color": "", "ours": False} for i in range(len(snakes))]
    bodies = [body and {"body": body, "health": 90} for body in snakes]
    turn = {"turn": 7, "food": [], "hazards": [], "snakes": bodies, "deaths": []}
    board = {"ruleset": ruleset, "width": size, "height": size, "snakes": looks}
    return {**board, "over": False, "result": None, "turns": [turn], **facts}


def owners(run: Any, game: Json) -> dict[str, int]:
    """The snake that reaches each cell first."""
    script = """
        const { Game } = await load("game");
        const { territory } = await load("territory");
        const cells = territory(new Game(argument), 7);
        return Object.fromEntries(cells.map(each => [each.cell.join(), each.snake]));
    """
    found: dict[str, int] = run(script, game)
    return found


def test_the_nearer_snake_owns_a_cell(run: Any) -> None:
    """A cell belongs to the nearer snake. Halfway between equally long snakes, a cell has no owner."""
    found = owners(run, game_of([[0, 0], [0, 0]], [[4, 0], [4, 0]]))
    assert (found["1,0"], found["3,0"], found["0,4"], found["4,4"]) == (0, 1, 0, 1)
    assert not {f"2,{y}" for y in range(5)} & set(found)


def test_the_longer_snake_wins_a_tie(run: Any) -> None:
    """A cell that two snakes reach at the same time belongs to the longer one."""
    found = owners(run, game_of([[0, 0], [0, 0]], [[4, 0], [4, 0], [4, 0]]))
    assert (found["1,0"], found["2,0"], found["2,4"]) == (0, 1, 1)


def test_bodies_block_and_tails_leave(run: Any) -> None:
    """Bodies have no owner. A tail that moves away is free, and a folded tail is not."""
    found = owners(run, game_of([[0, 0], [1, 0], [2, 0]]))
    assert "1,0" not in found and found["2,0"] == 0
    folded = owners(run, game_of([[0, 0], [1, 0], [2, 0], [2, 0]]))
    assert "2,0" not in folded


def test_the_flood_crosses_the_edges_of_a_wrapped_board(run: Any) -> None:
    """On a wrapped board a cell behind the edge is near."""
    found = owners(run, game_of([[0, 0], [0, 0]], [[2, 0], [2, 0]], ruleset="wrapped"))
    assert found["4,0"] == 0


def test_a_dead_snake_owns_nothing(run: Any) -> None:
    """Only living snakes take part."""
    assert set(owners(run, game_of(None, [[4, 0], [4, 0]])).values()) == {1}


def test_a_game_may_lack_turns(run: Any) -> None:
    """Turns are found by number, in any order of arrival, and stepping goes over gaps."""
    game = game_of([[0, 0], [0, 0]])
    game["turns"] = [game["turns"][0] | {"turn": number} for number in (9, 3, 4)]
    script = """
        const { Game } = await load("game");
        const game = new Game(argument);
        const beside = [game.beside(4, 1), game.beside(9, 1)];
        return [game.first, game.last, game.nearest(7), ...beside, game.at(5) ?? null];
    """
    assert run(script, game) == [3, 9, 4, 9, 9, None]


def test_a_turn_that_arrives_again_keeps_its_decisions(run: Any) -> None:
    """A decision is kept when its turn is sent again without it."""
    script = """
        const { Game } = await load("game");
        const game = new Game(argument);
        game.addDecision(7, 0, { move: "up" });
        game.addDecision(8, 0, { move: "down" });
        game.addTurn(argument.turns[0]);
        return [game.decision(0, 7).move, game.decision(0, 8)];
    """
    assert run(script, game_of([[0, 0], [0, 0]])) == ["up", None]


def test_namesakes_and_twins_are_told_apart(run: Any) -> None:
    """Snakes of one name are numbered, and of snakes with one colour only the first keeps it."""
    script = 'const { looksOf } = await load("looks"); return looksOf(argument);'
    looks = run(script, [{"name": "a", "color": "#FF0000"}, {"name": "a", "color": "#ff0000"}])
    assert [each["name"] for each in looks] == ["a #1", "a #2"]
    assert [each["colour"] for each in looks] == ["#ff0000", "var(--side-1)"]


def test_the_newest_live_turn_shows_the_decision_before(run: Any) -> None:
    """During a search, the snake's last decision is shown, but not in a finished game."""
    script = """
        const { Game } = await load("game");
        const game = new Game(argument);
        game.addDecision(7, 0, { move: "up" });
        game.addTurn({ ...argument.turns[0], turn: 8 });
        const live = game.newest(0, 8);
        game.end(null);
        return [live.decision.move, live.age, game.newest(0, 8).decision, game.newest(0, 7).age];
    """
    assert run(script, game_of([[0, 0], [0, 0]])) == ["up", 1, None, 0]


def test_a_search_that_made_room_was_not_out_of_time(run: Any) -> None:
    """A search that ended long before its budget made room for other searches."""
    script = """
        const { stopText } = await load("words");
        return [400, 100].map(time_ms => stopText({ stop: "time", time_ms, budget_ms: 420 }));
    """
    assert run(script) == ["time used up", "other searches"]


def test_outcomes_and_scores_are_words(run: Any) -> None:
    """An outcome reads "loss in 9", a score has its sign, and a missing value is a dash."""
    script = """
        const words = await load("words");
        const faults = [{ late: true, source: "search" }, { late: false, source: "reflex" }];
        const outcome = words.outcomeText({ kind: "loss", turns: 9 });
        return [outcome, words.scoreText(-0.5), words.scoreText(null), ...faults.map(words.faultText)];
    """
    assert run(script) == ["loss in 9", f"{MINUS}0.500", DASH, "late", "reflex"]
