"""Fixtures of the tests of ports, some of which are those of a console."""

from tests.gateway.conftest import migrated_once, pytest_asyncio_loop_factories

__all__ = ["migrated_once", "pytest_asyncio_loop_factories"]
