"""The handling of missing dependencies that `make` can't install without root."""

import os
from typing import NoReturn

import pytest


def report_missing(dependency: str, package: str = "") -> NoReturn:
    """Skip the running test with a line that names the Debian package, if one has it; fail it if CI=true."""
    message = f"{dependency} is missing" + (f"; install the Debian package {package}" if package else "")
    if os.environ.get("CI") == "true":
        pytest.fail(message, pytrace=False)
    pytest.skip(message)
