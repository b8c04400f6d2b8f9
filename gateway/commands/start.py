"""The start of a gateway: the searcher's process starts first, and runs during the gateway's slow imports.

This module imports nothing that only serving needs.
"""

import gc
import os
import signal
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress

from battlesnake_search.children.service import Service
from battlesnake_search.common import logs
from battlesnake_search.common.toml import TomlError
from battlesnake_search.plan import AUTO, OWN
from gateway.commands import log_lines
from gateway.settings import Settings

_KEPT = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP)
"""The signals that the serving gateway handles."""

_AHEAD = "SEARCHER_AHEAD"
"""The variable with the strategies that a searcher compiles before searches need them."""

_DEFAULTS = frozenset({"", AUTO})
"""The names of the default strategy, which every searcher compiles."""


def start(settings: Settings, log_level: str, log_format: str) -> None:
    """Start the searcher and serve until SIGTERM or Ctrl-C. Raises the errors of `serve`."""
    logs.configure(log_format, log_level, log_lines.LAYOUTS)
    with _keeping_signals() as received, _searcher(settings) as searcher:
        # The objects of these imports live until the end, so later collections need not visit them.
        gc.disable()
        from gateway.commands.serve import serve

        gc.freeze()
        gc.enable()
        serve(settings, searcher, received)


@contextmanager
def _keeping_signals() -> Iterator[list[signal.Signals]]:
    """Collect the signals that arrive before the gateway handles them, and yield their list.

    Without this they would end the process immediately and leave the searcher's folder behind.
    """
    received: list[signal.Signals] = []
    for number in _KEPT:
        signal.signal(number, lambda number, _frame: received.append(signal.Signals(number)))
    yield received


@contextmanager
def _searcher(settings: Settings) -> Iterator[Service | None]:
    """Start the embedded searcher, if the gateway uses one, and end it at the end of the block."""
    strategies = _own_strategies(settings)
    if strategies is None:
        yield None
        return
    # The searcher compiles the strategies that it plays before others.
    os.environ.setdefault(_AHEAD, " ".join(strategies))
    with Service() as searcher:
        # The gateway starts it again once it runs.
        with suppress(OSError):
            searcher.start()
        yield searcher


def _own_strategies(settings: Settings) -> Collection[str] | None:
    """Return the strategies of an embedded searcher, without `auto`; None if there is no such searcher.

    With a faulty routes file there is none, because no gateway starts.
    """
    if settings.searcher or not settings.routes:
        return None if settings.searcher else {settings.strategy} - _DEFAULTS
    # This imports protobuf, and only a gateway with such a file waits for it here.
    from gateway.routes.loading import load

    try:
        routes = load(settings.routes, settings.strategy, looks=settings.looks)
    except TomlError:
        return None
    plans = [plan for plan in routes.plans() if OWN in plan.searchers]
    return {plan.strategy for plan in plans} - _DEFAULTS if plans else None
