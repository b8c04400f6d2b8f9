"""The modules of the viewer, called in a real browser: the model of a game, the flood, the names."""

from typing import Any

import pytest

from battlesnake_search.common.estimation import percent
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


def test_a_cell_belongs_to_the_snake_that_reaches_it_first(run: Any) -> None:
    """The longer of two snakes wins a tie. Bodies block, tails that leave do not, and edges may wrap."""
    found = owners(run, game_of([[0, 0], [0, 0]], [[4, 0], [4, 0]]))
    assert (found["1,0"], found["3,0"], found["0,4"], found["4,4"]) == (0, 1, 0, 1)
    assert not {f"2,{y}" for y in range(5)} & set(found)
    found = owners(run, game_of([[0, 0], [0, 0]], [[4, 0], [4, 0], [4, 0]]))
    assert (found["1,0"], found["2,0"], found["2,4"]) == (0, 1, 1)
    found = owners(run, game_of([[0, 0], [1, 0], [2, 0]]))
    assert "1,0" not in found and found["2,0"] == 0
    assert "2,0" not in owners(run, game_of([[0, 0], [1, 0], [2, 0], [2, 0]]))
    assert owners(run, game_of([[0, 0], [0, 0]], [[2, 0], [2, 0]], ruleset="wrapped"))["4,0"] == 0
    assert set(owners(run, game_of(None, [[4, 0], [4, 0]])).values()) == {1}


def test_a_game_may_lack_turns(run: Any) -> None:
    """Stepping goes over gaps. A turn that arrives again keeps its decisions, also of the turn before."""
    game = game_of([[0, 0], [0, 0]])
    turn = game["turns"][0]
    script = """
        const { Game } = await load("game");
        const game = new Game(argument);
        const beside = [game.beside(4, 1), game.beside(9, 1)];
        return [game.first, game.last, game.nearest(7), ...beside, game.at(5) ?? null];
    """
    lacking = game | {"turns": [turn | {"turn": number} for number in (9, 3, 4)]}
    assert run(script, lacking) == [3, 9, 4, 9, 9, None]
    script = """
        const { Game } = await load("game");
        const game = new Game(argument);
        game.addDecision(7, 0, { move: "up" });
        game.addTurn(argument.turns[0]);
        game.addTurn({ ...argument.turns[0], turn: 8 });
        const live = game.newest(0, 8);
        game.end(null);
        return [game.decision(0, 7).move, live.decision.move, live.age, game.newest(0, 8).decision];
    """
    assert run(script, game) == ["up", "up", 1, None]


def looks(run: Any, *snakes: Json) -> list[Json]:
    """The names and colours of snakes."""
    found: list[Json] = run('const { looksOf } = await load("looks"); return looksOf(argument);', snakes)
    return found


def test_namesakes_and_twins_are_told_apart(run: Any) -> None:
    """Snakes of one name are numbered. Snakes of like colours, or without one, get the least like colours."""
    found = looks(
        run, *({"name": "a", "color": each} for each in ("#FF0000", "#ff0000", "#fa0505", None, "red"))
    )
    assert [each["name"] for each in found] == [f"a #{number}" for number in range(1, 6)]
    assert found[0]["colour"] == "#ff0000"
    others = [each["colour"] for each in found[1:]]
    assert len(set(others)) == 4 and all(each.startswith("var(--side-") for each in others)
    # Orange and crimson are too much like red.
    assert not {"var(--side-1)", "var(--side-5)"} & set(others)


def test_names_of_any_kind_fit(run: Any) -> None:
    """A long name is cut between letters, marks of direction are dropped, and Hebrew is isolated."""
    family = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
    names = (
        "a" * 200,
        family * 60,
        "evil\u202egnp.exe",
        "\u05e9\u05dc\u05d5\u05dd",
        "z" + "\u0301" * 99,
        "\u202e \n",
    )
    found = [each["name"] for each in looks(run, *({"name": name, "color": None} for name in names))]
    assert found == [
        "a" * 39 + "…",
        family * 39 + "…",
        "evilgnp.exe",
        "\u2068\u05e9\u05dc\u05d5\u05dd\u2069",
        "z\u0301\u0301",
        "unnamed snake",
    ]


def test_facts_are_words(run: Any) -> None:
    """A search that made room was not out of time. A bound reads "at most", and a cause may be unknown."""
    script = """
        const words = await load("words");
        const stops = [400, 100].map(time_ms => words.stopText({ stop: "time", time_ms, budget_ms: 420 }));
        const faults = [{ late: true, source: "search" }, { late: false, source: "reflex" }];
        const draw = { score: 0, outcome: { kind: "draw", turns: 3 }, exact: true };
        const worths = [words.worthText(draw), words.worthText({ score: -0.5, exact: false })];
        const deaths = [words.deathText({ cause: null }), words.deathText({ cause: "hazard", late: true })];
        return [...stops, words.scoreText(null), ...faults.map(words.faultText), ...worths, ...deaths];
    """
    found = ["time used up", "other searches", DASH, "late", "reflex", "draw in 3", f"≤ {MINUS}0.500"]
    assert run(script) == [*found, "cause unknown", "hazard, late answer"]


def test_the_graph_passes_over_turns_without_a_score(run: Any) -> None:
    """A turn with a single move has no point, and no score of its own. A turn without a decision is a gap."""
    game = game_of([[0, 0], [0, 0]])
    scores = [(0.5, "time"), (0.9, "only_move"), (None, "time"), (-0.5, "time"), None, (0.1, "time")]
    decisions = [each and {"move": "up", "score": each[0], "stop": each[1], "depth": 3} for each in scores]
    turn = game["turns"][0]
    game["turns"] = [turn | {"turn": n, "decisions": [each]} for n, each in enumerate(decisions)]
    script = """
        const [{ Game }, { Graph }] = [await load("game"), await load("graph")];
        const { looksOf } = await load("looks");
        const [game, graph] = [new Game(argument), new Graph(() => {})];
        graph.draw(game, looksOf(game.snakes), 0);
        return graph.element.querySelector(".score:not(.other)").getAttribute("d");
    """
    assert [point[:2] for point in run(script, game).split(" ") if point != "h0"] == ["M0", "L3", "M5"]


def test_pages_and_the_terminal_round_alike(run: Any) -> None:
    """A share in words is the same number everywhere, also half-way between two numbers."""
    parts = [(part, total) for total in (1, 7, 8, 40, 96, 200, 2000) for part in range(total + 1)]
    for digits in range(4):
        script = f"return argument.map(([part, total]) => ((part / total) * 100).toFixed({digits}) + ' %');"
        assert run(script, parts) == [percent(part / total, digits) for part, total in parts]
