"""What plays a match: the versions of all code that the result of a block depends on."""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

import arena
import searcher
from arena.games.entrants import evaluators_of
from arena.records.model import Setup
from battlesnake_search import contract
from searcher.engine.jit.code_cache import digest_of_sources
from searcher.strategies import evaluators

_MISSING = "none"


class OtherVersionError(ValueError):
    """Raised where other code would play a block than where the match began: its result may differ."""


def versions_of(setup: Setup) -> dict[str, str]:
    """Return the version of the project and those of the evaluators that play, by what they are of.

    They are the same on all machines with the same code, wherever it is installed.
    """
    found = evaluators()
    digests = {
        f"the evaluator {name}": found[name].code_digest if name in found else _MISSING
        for name in evaluators_of(setup.entrants)
    }
    return {"battlesnake-search": _project()} | digests


def check_versions(setup: Setup, expected: Mapping[str, str], place: str) -> None:
    """Raise OtherVersionError, with both versions, if this process has others than `expected`.

    `place` is the name of this machine.
    """
    ours = versions_of(setup)
    for name, version in expected.items():
        if ours[name] != version:
            raise OtherVersionError(
                f"{place} has {name} {ours[name]}, but this match began with {name} {version}: "
                "install the same on all machines"
            )


@cache
def _project() -> str:
    """Return the version of this project, with a digest of its sources, which may have been changed."""
    folders = [Path(str(package.__file__)).parent for package in (arena, contract, searcher)]
    digest = hashlib.sha256("".join(map(digest_of_sources, folders)).encode()).hexdigest()[:8]
    return f"{metadata.version('battlesnake-search')} (sources {digest})"
