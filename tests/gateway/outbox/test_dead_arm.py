"""An experiment whose one arm has a dead searcher: real processes of gateway, searcher and console."""

import asyncio
import json
from pathlib import Path
from typing import Any

import aiohttp

from tests.console.console_process import output
from tests.gateway.gateway_process import answers, start
from tests.gateway.scripted_searcher import body
from tests.support import admin
from tests.support.child_process import killed
from tests.support.command_process import PATIENCE
from tests.support.services import free_port

ROUTES = """
[[snakes]]
path = "/"
experiment = "dead"
arms = [
  { name = "alive", control = true, limits = { nodes = 100 } },
  { name = "lost", searcher = "127.0.0.1:1", limits = { time = 50 } },
]
"""

GAMES, TURNS, TIMEOUT = 16, 6, 2000

Client = aiohttp.ClientSession


async def _play(client: Client, number: int) -> None:
    """Play a short game: our snake stays in place on all boards, and wins at the end."""
    start = body("standard-start-0", id=f"game {number}", timeout=TIMEOUT)
    left = [snake for snake in start["board"]["snakes"] if snake["id"] == start["you"]["id"]]
    requests = [("start", start)]
    requests += [("move", start | {"turn": turn}) for turn in range(TURNS)]
    requests.append(("end", start | {"turn": TURNS, "board": start["board"] | {"snakes": left}}))
    for path, sent in requests:
        async with client.post(f"/{path}", json=sent) as answer:
            assert answer.status == 200


async def _get(client: Client, path: str, status: int = 200) -> Any:
    """Return the JSON at a path once it has the status."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                async with client.get(path) as answer:
                    if answer.status == status:
                        return await answer.json()
            except aiohttp.ClientConnectionError:
                pass
            await asyncio.sleep(0.1)


async def _ended(pages: Client) -> Any:
    """Return the experiment once all of its games are stored."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await _get(pages, "/api/experiments")
            for experiment in found["experiments"]:
                if sum(arm["games"] + arm["not_searched"] for arm in experiment["arms"]) == GAMES:
                    return experiment
            await asyncio.sleep(0.1)


async def test_a_dead_arm_is_told_everywhere_and_judged_nowhere(tmp_path: Path) -> None:
    """Its moves are answered by reflexes, which the outcomes, the command, the pages and /readyz tell."""
    routes, outcomes = tmp_path / "routes.toml", tmp_path / "outcomes.sqlite"
    routes.write_text(ROUTES)
    port, pages_port = str(free_port()), str(free_port())
    process = await start(
        *("--host", "127.0.0.1", "--routes", str(routes), "--outcomes", str(outcomes)),
        log=str(tmp_path / "log"),
        PORT=port,
        ADMIN=f"127.0.0.1:{pages_port}",
        CONSOLE_TARGET="",
        SEARCHER_TARGET="",
    )
    try:
        async with (
            Client(f"http://127.0.0.1:{port}", headers=admin.HEADERS) as client,
            Client(f"http://127.0.0.1:{pages_port}", headers=admin.HEADERS) as pages,
        ):
            await asyncio.wait_for(answers(client, "/healthz"), PATIENCE)
            overview = await _get(pages, "/api/overview")
            async with asyncio.timeout(PATIENCE):
                while not any(one["serving"] for one in overview["searchers"]):
                    await asyncio.sleep(0.1)
                    overview = await _get(pages, "/api/overview")
            await asyncio.gather(*(_play(client, number) for number in range(GAMES)))
            experiment = await _ended(pages)
            assert await _get(client, "/readyz", 503) == {"status": "not ready"}
            reason = (await _get(pages, "/readyz", 503))["reason"]
            overview = await _get(pages, "/api/overview")
    finally:
        await killed(process)
    assert "/, arm lost is not searched: searcher at 127.0.0.1:1: UNAVAILABLE" in reason
    assert overview["readiness"] == {"status": "not ready", "reason": reason}
    alive, lost = experiment["arms"]
    moves = TURNS * lost["not_searched"]
    assert lost["games"] == 0 < lost["not_searched"] and alive["not_searched"] == 0 < alive["games"]
    none = dict.fromkeys(("full_search", "best_so_far", "stand_in"), 0)
    assert lost["sources"] == none | {"moves": moves, "reflex": moves, "failed_calls": moves}
    assert alive["sources"]["full_search"] + alive["sources"]["best_so_far"] == alive["sources"]["moves"]
    told = f"100 % of {moves} moves of arm lost were not searched"
    [comparison] = experiment["comparisons"]
    assert comparison["verdict"] == "undecided" and comparison["difference"] is None
    assert told in lost["warning"] and not alive["warning"]
    assert comparison["summary"].endswith("too few moves of lost were searched.")
    text = " ".join((await output("experiments", "--outcomes", str(outcomes))).split())
    assert f"WARNING: {told}" in text and f"for {moves}, a call of its searcher failed" in text
    report = json.loads(await output("experiments", "--outcomes", str(outcomes), "--json"))
    assert [one["sources"] for one in report["experiments"][0]["arms"]] == [
        arm["sources"] for arm in (alive, lost)
    ]
