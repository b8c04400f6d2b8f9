"""What a test does when a part that `make` can't install as a plain user is missing."""

import os
from typing import NoReturn

import pytest


def part_is_missing(part: str, package: str) -> NoReturn:
    """Skips the running test with a line naming the Debian package; under CI=true fails it instead."""
    message = f"{part} is missing; install the Debian package {package}"
    if os.environ.get("CI") == "true":
        pytest.fail(message, pytrace=False)
    pytest.skip(message)
