"""Fixtures of the gateway's tests."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Return an empty temporary folder for a gateway; its path is short, as that of a Unix socket must be."""
    with TemporaryDirectory() as folder:
        yield Path(folder)
