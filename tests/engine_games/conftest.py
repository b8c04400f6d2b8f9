"""Fixtures of the tests with whole games."""

from tests.gateway.conftest import own_outbox

__all__ = ["own_outbox"]
