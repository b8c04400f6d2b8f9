"""The digest of an evaluator's code. By it, games and caches recognize the code."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from searcher.engine.jit.code_cache import sources_of

_SEARCHER = Path(__file__).resolve().parents[1]
_DIGITS = 16


def code_digest(file: str) -> str:
    """Return a digest of the evaluator's sources, by its file, and of all code that every search uses.

    The digest is the same on every machine, wherever the code is installed.
    """
    digest = hashlib.sha256(_digest_of_every_search() + _digest(sources_of(file)))
    return digest.hexdigest()[:_DIGITS]


@cache
def _digest_of_every_search() -> bytes:
    engine = sorted((_SEARCHER / "engine").rglob("*.py"))
    return _digest((*engine, _SEARCHER / "session.py", _SEARCHER / "strategies.py"))


def _digest(paths: Iterable[Path]) -> bytes:
    digest = hashlib.sha256()
    for path in paths:
        # The code of an evaluator may be without a file.
        content = path.read_bytes() if path.is_file() else b""
        digest.update(b"%s\0%d\0%s" % (path.name.encode(), len(content), content))
    return digest.digest()
