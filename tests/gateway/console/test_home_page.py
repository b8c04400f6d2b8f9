"""The first page of the console in a real browser."""

import asyncio
from pathlib import Path

from tests.gateway.console.console import running_with_faulty_evaluator
from tests.support.browser import DESKTOP, Page


async def test_a_snake_that_plays_only_reflexes_is_red(page: Page, tmp_path: Path) -> None:
    """Its searcher serves, but the searcher has found the snake's evaluator faulty."""
    async with running_with_faulty_evaluator(tmp_path) as console:
        await asyncio.to_thread(page.visit, f"{console.url}/", DESKTOP)
        shown = "document.querySelector('#health .bad')?.textContent"
        await asyncio.to_thread(page.wait, f"{shown}?.includes('faulty evaluator raising: ValueError: no')")
        await asyncio.to_thread(page.wait, "document.querySelectorAll('#searchers .good').length === 1")
        await asyncio.to_thread(page.leave)
