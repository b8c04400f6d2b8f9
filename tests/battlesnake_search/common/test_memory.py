"""Free memory is returned after peaks."""

import asyncio
import sys

import pytest

from battlesnake_search.common import memory
from battlesnake_search.common.memory import returning_memory


@pytest.mark.skipif(not memory._STATM.exists(), reason="only Linux tells how much memory is resident")
async def test_memory_is_returned_after_a_peak(monkeypatch: pytest.MonkeyPatch) -> None:
    """glibc keeps memory that lies below a piece in use, until it is asked to return it."""
    monkeypatch.setattr(memory, "_INTERVAL", 0.1)
    async with returning_memory():
        await asyncio.sleep(0.2)
        before = memory._resident()
        # Small enough for glibc's own heap, which ends with the last of them.
        pieces = [bytes(4000) for _ in range(20_000)]
        last = pieces[-1]
        peak = memory._resident()
        del pieces
        await asyncio.sleep(1.0)
        after = memory._resident()
    assert peak > before + 60_000_000 and sys.getsizeof(last) > 4000
    assert after < before + 20_000_000
