"""The review on the page of a lost game, in a real browser: its scores on the board, and its better line."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from aiohttp import web

from tests.battlesnake_search.viewer.console import Console
from tests.battlesnake_search.viewer.test_analysis_page import bodies
from tests.battlesnake_search.viewer.test_study_lines import shows, tree
from tests.console.web.analyses import add_analyses
from tests.searcher.real_strategies import RealStrategies
from tests.support.browser import Page

LOST_AT = 57


def _valued(move: str, score: float | None, outcome: Any = None) -> dict[str, Any]:
    return {"move": move, "score": score, "depth": 9, "time_ms": 1.0, "outcome": outcome}


def review(console: Console) -> dict[str, Any]:
    """A review that names turn 57, and a turn with a single move."""
    loss = {"kind": "loss", "turns": 9}
    losing = {"turn": LOST_AT, "played": _valued("up", -1.0, loss), "other": _valued("left", 0.25)}
    single = {"turn": LOST_AT + 1, "played": _valued("left", None), "other": None}
    turns = [each | {"loss": 0.0, "was_decisive": False} for each in (losing, single)]
    return {
        "game": console.whole["id"],
        "snake": console.whole["snakes"][1]["id"],
        "result": "lost",
        "turns": turns,
        "blunders": [LOST_AT],
        "lost_at": LOST_AT,
        "seen_at": None,
        "seen_depth": None,
        "story": None,
        "summary": f"Turn {LOST_AT} lost the game: up was played, and left still held.",
        "better_line": [[None, "left", None, None], ["right", "down", None, None]],
        "unsearched": [],
    }


@pytest.fixture
def lost(compiled: None) -> Iterator[Console]:
    """A server with the recorded game as a lost one, its review, and a real searcher."""

    def extend(app: web.Application) -> None:
        add_analyses(app, RealStrategies())
        app.router.add_post("/api/games/{id}/blunders", start)
        app.router.add_get("/api/games/{id}/blunders", events)

    async def start(_: web.Request) -> web.Response:
        return web.json_response({}, status=202)

    async def events(_: web.Request) -> web.Response:
        text = f"event: review\ndata: {json.dumps(review(console))}\n\n"
        return web.Response(text=text, content_type="text/event-stream")

    console = Console(extend)
    console.whole["result"] = {"winner": 0, "turns": 207}
    with console.serving():
        yield console


def test_the_better_line_is_ready_to_play(page: Page, lost: Console) -> None:
    """The page opens at the losing turn with the review's scores. A button opens the better line."""
    page.visit(f"{lost.address}/game.html?game={lost.whole['id']}")
    page.wait(f"document.querySelector('[data-part=turn]')?.textContent.startsWith('Turn {LOST_AT} ')")
    marks = page.do("[...document.querySelectorAll('[data-label]')].map(e => e.lastChild.textContent).sort()")
    assert marks == ["+.25", "L9"]
    before = bodies(page)
    page.part("better").click()
    page.wait(shows(LOST_AT + 1, LOST_AT + 2))
    assert tree(page) == ["The game", f"Turn {LOST_AT}: ← ↓ *"]
    head = [int(each) for each in before[1].split()[0].split(",")]
    assert bodies(page)[1].split()[0] == f"{head[0] - 1},{head[1]}"
    page.part("blunders").find_element("tag name", "a").click()
    page.wait(shows(LOST_AT, 207))
    assert not page.complaints()
