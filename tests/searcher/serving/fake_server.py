"""A searcher with fake strategies, as a process: ... ADDRESS [SECONDS OF WARM-UP, or "fail"] [TOKEN FILE]."""

import os
import sys
import time
from pathlib import Path

from battlesnake_search.common import logs
from battlesnake_search.serving.port import PortSettings
from searcher.interface import Progress
from searcher.serving.server import LAYOUTS, serve_strategies
from tests.searcher.fakes import FakeStrategies, warm_up_at_once

listen, *more = sys.argv[1:]
warming, tokens = more[0] if more else "0", more[1:]


def warm_slowly(progress: Progress) -> None:
    """Warm up in the given time, or fail."""
    if warming == "fail":
        raise RuntimeError("no compiler")
    time.sleep(float(warming))
    warm_up_at_once(progress)


if __name__ == "__main__":
    logs.configure(os.environ.get("LOG_FORMAT", "json"), layouts=LAYOUTS)
    settings = PortSettings(tokens=Path(tokens[0]) if tokens else None)
    serve_strategies(listen, 3, FakeStrategies(warm_up=warm_slowly), settings)
