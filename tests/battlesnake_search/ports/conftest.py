"""Fixtures of the tests of ports, some of which are those of a console."""

from tests.gateway.conftest import pytest_asyncio_loop_factories

__all__ = ["pytest_asyncio_loop_factories"]
