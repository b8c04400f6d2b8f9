"""Routes are checked against their searchers, at the start and before a reloaded file takes force."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from battlesnake_search.contract import search_pb2
from gateway.readiness import READINESS
from gateway.routes import reload
from gateway.routes.looks import Looks
from gateway.routes.reload import ROUTES, RoutesInForce
from gateway.searchers.pool import SearcherPool
from tests.gateway import scripted_searcher
from tests.gateway.clients import PATIENCE, post_move
from tests.gateway.listing_searcher import ListingService, listing
from tests.gateway.scripted_searcher import Gateway, ScriptedService, body
from tests.support.logs import capture_logs

NOBODY = "127.0.0.1:1"
NO_NAME = "searcher.invalid:50051"

Lines = list[Any]


def _snake(path: str, strategy: str = "", searcher: str = "") -> str:
    arm = {"name": "champion", "strategy": strategy, "searcher": searcher}
    fields = ", ".join(f'{key} = "{value}"' for key, value in arm.items() if value)
    return f'[[snakes]]\npath = "{path}"\narms = [{{ {fields} }}]\n'


@asynccontextmanager
async def _playing(service: ScriptedService, file: Path) -> AsyncIterator[tuple[Gateway, Lines]]:
    """Serve a gateway with the file's routes in front of a searcher; yield a client, and the log."""
    with capture_logs() as lines:
        async with (
            scripted_searcher.searcher(service) as target,
            scripted_searcher.gateway(target, routes=file) as client,
        ):
            yield client, lines


async def _logged(lines: Lines, *events: str) -> Any:
    """Wait until one of these events is logged; return its line."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for line in lines:
                if line["event"] in events:
                    return line
            await asyncio.sleep(0.02)


async def _reload(client: Gateway, lines: Lines) -> Any:
    """Request a reload; return the line about its end."""
    lines.clear()
    client.app[ROUTES].request_reload()
    return await _logged(lines, "routes in force", "routes not reloaded")


async def _readiness(client: Gateway) -> tuple[int, Mapping[str, Any]]:
    readiness = await client.app[READINESS].read()
    details, status = readiness.body, 200 if readiness.is_ready else 503
    async with client.get("/readyz") as answer:
        assert (answer.status, await answer.json()) == (status, {"status": details["status"]})
    return status, details


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of a routes file with a valid snake at /old."""
    file = tmp_path / "routes.toml"
    file.write_text(_snake("/old", "paranoid/area"))
    return file


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            _snake("/new", "paranoid/aria"),
            "/new, arm champion: unknown evaluator 'aria'; valid: area, length; nearest: area",
        ),
        (_snake("/new", "maxn/area"), "/new, arm champion: unknown search 'maxn'; valid: paranoid"),
        (_snake("/new", searcher=NO_NAME), f"{NO_NAME}: UNAVAILABLE: "),
    ],
)
async def test_routes_that_a_searcher_refuses_do_not_take_force(file: Path, wrong: str, said: str) -> None:
    """The former routes stay, and an error names the file, the arm, the name and the valid names."""
    async with _playing(ListingService("area", "length"), file) as (client, lines):
        file.write_text(wrong)
        line = await _reload(client, lines)
        assert (line["event"], line["log_level"], line["file"]) == ("routes not reloaded", "error", str(file))
        assert line["error"].startswith(said)
        assert line["effect"] == "the former routes stay in force"
        for path, status in (("/old", 200), ("/new", 404)):
            async with client.get(path) as answer:
                assert answer.status == status
        assert await post_move(client, body(), "/old/move") == "up"
        assert (await _readiness(client))[0] == 200


async def test_routes_of_a_searcher_that_is_down_take_force_with_a_warning(file: Path) -> None:
    """Routes that can't be checked may be right."""
    async with _playing(ListingService("area"), file) as (client, lines):
        file.write_text(_snake("/new", "paranoid/aria", NOBODY))
        assert (await _reload(client, lines))["event"] == "routes in force"
        line = await _logged(lines, "strategies not checked")
        assert (line["log_level"], line["searcher"]) == ("warning", NOBODY)
        assert "UNAVAILABLE" in line["reason"]


def test_options_without_effect_are_warned_of(file: Path) -> None:
    """A file with a snake at / overrides the options of the snake there."""
    for path, looks, warned in (
        ("/", Looks(name="x"), True),
        ("/", None, False),
        ("/a", Looks(name="x"), False),
    ):
        file.write_text(_snake(path))
        with capture_logs() as lines:
            RoutesInForce(file, "", looks=looks)
        assert any("have no effect" in line["event"] for line in lines) == warned


async def test_an_unknown_strategy_is_warned_of_as_soon_as_the_searcher_answers(file: Path) -> None:
    """The warning names the valid names; until they are listed, the gateway is not ready but moves."""
    service = ListingService("area", refusals=3)
    file.write_text(_snake("/old", "paranoid/aria"))
    async with _playing(service, file) as (client, lines):
        line = await _logged(lines, "unknown evaluator")
        assert (line["log_level"], line["name"], line["path"], line["arm"], line["valid"]) == (
            "warning",
            "aria",
            "/old",
            "champion",
            ("area",),
        )
        status, said = await _readiness(client)
        assert status == 503 and "/old, arm champion: unknown evaluator 'aria'; valid: area" in said["reason"]
        assert await post_move(client, body(), "/old/move")
        service.listed = listing("area", "aria")
        async with asyncio.timeout(PATIENCE):
            # An answer is shared for a second.
            while (ready := await _readiness(client))[0] != 200:
                await asyncio.sleep(0.1)
        assert ready == (200, {"status": "ready"})


@pytest.mark.parametrize(("seconds", "strategy"), [(0.0, "area"), (0.0, "mine"), (30.0, "area")])
async def test_a_trial_that_ends_late_ends_no_gateway_that_plays(
    file: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, strategy: str
) -> None:
    """Soon after the start, and while all snakes play only reflexes, a faulty evaluator is an error."""
    monkeypatch.setattr(reload, "_AT_START", seconds)
    monkeypatch.setattr(SearcherPool, "is_embedded", lambda *_: True)
    refusals: list[str] = []
    monkeypatch.setattr(reload, "_log_refusal", refusals.append)
    service = ListingService("area")
    service.listed.faulty_evaluators.add(name="mine", reason="it is slow")
    file.write_text(_snake("/old", f"paranoid/{strategy}") + _snake("/", "paranoid/mine"))
    async with _playing(service, file) as (_, lines):
        if seconds or strategy == "mine":
            async with asyncio.timeout(PATIENCE):
                while not refusals:
                    await asyncio.sleep(0.02)
            assert "faulty evaluator mine: it is slow" in refusals[0]
        else:
            line = await _logged(lines, "faulty evaluator")
            assert (line["name"], line["reason"]) == ("mine", "it is slow")
            assert not refusals


async def test_requests_are_answered_while_routes_are_checked(file: Path) -> None:
    """A searcher that never answers delays the new routes, and nothing else."""

    class Silent(ListingService):
        async def ListStrategies(
            self, request: search_pb2.ListStrategiesRequest, context: Any
        ) -> search_pb2.ListStrategiesResponse:
            await asyncio.sleep(60)
            return self.listed

    async with (
        scripted_searcher.searcher(Silent("area")) as target,
        _playing(ListingService("area"), file) as (client, lines),
    ):
        file.write_text(_snake("/new", "paranoid/aria", target))
        reloading = asyncio.create_task(_reload(client, lines))
        await asyncio.sleep(0.2)
        assert await post_move(client, body(), "/old/move") == "up"
        assert not reloading.done()
        assert (await reloading)["event"] == "routes in force"
