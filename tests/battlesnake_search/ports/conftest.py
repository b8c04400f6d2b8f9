"""Asynchronous tests run in the event loop of the services."""

from tests.gateway.conftest import pytest_asyncio_loop_factories

__all__ = ["pytest_asyncio_loop_factories"]
