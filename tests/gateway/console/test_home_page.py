"""The first page of the console in a real browser."""

import asyncio
from pathlib import Path

from tests.gateway import scripted_searcher
from tests.gateway.console.console import running
from tests.gateway.listing_searcher import ListingService
from tests.support.browser import DESKTOP, Page


async def test_a_snake_that_plays_only_reflexes_is_red(page: Page, tmp_path: Path) -> None:
    """Its searcher serves, but the searcher has found the snake's evaluator faulty."""
    service, routes = ListingService("area"), tmp_path / "routes.toml"
    service.listed.faulty_evaluators.add(name="raising", reason="ValueError: no (raising.py:11)")
    async with scripted_searcher.searcher(service) as target:
        arm = f'{{ name = "a", strategy = "paranoid/raising", searcher = "{target}" }}'
        routes.write_text(f'[[snakes]]\npath = "/"\narms = [{arm}]')
        async with running(routes=routes) as console:
            await asyncio.to_thread(page.visit, f"{console.url}/", DESKTOP)
            shown = "document.querySelector('#health .bad')?.textContent"
            await asyncio.to_thread(
                page.wait, f"{shown}?.includes('faulty evaluator raising: ValueError: no')"
            )
            await asyncio.to_thread(page.wait, "document.querySelectorAll('#searchers .good').length === 1")
            await asyncio.to_thread(page.leave)
