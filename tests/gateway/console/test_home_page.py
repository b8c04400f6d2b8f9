"""The first page of the console in a real browser."""

import asyncio
from pathlib import Path

from tests.gateway.console.console import running_before, running_with_faulty_evaluator
from tests.gateway.listing_searcher import ListingService
from tests.support.browser import DESKTOP, Page


async def test_a_snake_that_plays_only_reflexes_is_red(page: Page, tmp_path: Path) -> None:
    """Its searcher serves, but the searcher has found the snake's evaluator faulty."""
    async with running_with_faulty_evaluator(tmp_path) as console:
        await asyncio.to_thread(page.visit, f"{console.url}/", DESKTOP)
        shown = "document.querySelector('#health .bad')?.textContent"
        await asyncio.to_thread(page.wait, f"{shown}?.includes('faulty evaluator raising: ValueError: no')")
        await asyncio.to_thread(page.wait, "document.querySelectorAll('#searchers .good').length === 1")
        await asyncio.to_thread(page.leave)


async def test_code_that_is_compiled_is_shown(page: Page, tmp_path: Path) -> None:
    """Home tells how much of it is compiled, and that moves are searched meanwhile."""
    service = ListingService("area")
    service.listed.compilation.step, service.listed.compilation.done = "compiled crowd/hungry", 3
    service.listed.compilation.total = 9
    async with running_before(service, "paranoid/area", tmp_path) as console:
        await asyncio.to_thread(page.visit, f"{console.url}/", DESKTOP)
        shown = "document.querySelector('#health')?.textContent"
        text = "compiles code: 3 of 9 functions in 0 s, moves are searched meanwhile"
        await asyncio.to_thread(page.wait, f"{shown}?.includes('{text}')")
        await asyncio.to_thread(page.leave)
