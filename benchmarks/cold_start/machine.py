"""The machine before a start: Python's bytecode is kept, and the files are in memory or not."""

import os
from collections.abc import Mapping
from pathlib import Path

import click

from tests.support.services import ROOT, clean_environment

_CACHES = Path("/proc/sys/vm/drop_caches")
_ALL_CACHES = "3"

_BYTECODE = ROOT / ".cache" / "bytecode"

_CHANGED = ("ADMIN", "ADMIN_TOKENS", "PUBLIC_METRICS", "PYTHONDONTWRITEBYTECODE")
"""The variables that make services under test differ from those of a user."""


def environment(outcomes: Path) -> Mapping[str, str]:
    """Return the environment of services as a user starts them, except for the place of their outcomes.

    Python may keep bytecode, as it does unless a variable forbids it; then it keeps it in a folder of ours.
    """
    kept = {name: value for name, value in clean_environment().items() if name not in _CHANGED}
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        kept["PYTHONPYCACHEPREFIX"] = str(_BYTECODE)
    return kept | {"OUTCOMES_URL": str(outcomes), "LOG_FORMAT": "json"}


def drop_page_cache() -> None:
    """Make the kernel forget the contents of files, as after a boot. Raises click.UsageError without root."""
    os.sync()
    try:
        _CACHES.write_text(_ALL_CACHES)
    except OSError as error:
        raise click.UsageError(f"--cold needs root on Linux: {_CACHES}: {error.strerror}") from error
