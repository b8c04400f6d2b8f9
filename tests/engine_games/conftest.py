"""What whole games need beside the engine."""

import pytest

from tests.support.services import compile_all


@pytest.fixture(scope="session")
def compiled() -> None:
    """All of the search lies in the cache: the games are about playing, not about compiling."""
    compile_all()
