"""The event loop and the log of a searcher's tests, because most of these tests call a searcher."""

from tests.searcher.conftest import logs, pytest_asyncio_loop_factories

__all__ = ["logs", "pytest_asyncio_loop_factories"]
