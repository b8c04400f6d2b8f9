"""A searcher with fake strategies, as a process: ... ADDRESS [SECONDS OF WARM-UP, or "fail"]."""

import os
import sys
import time

from commandline import logs
from searcher.interface import Progress
from searcher.serving import compile_log
from searcher.serving.server import serve_strategies
from tests.searcher.fakes import FakeStrategies, warm_up_at_once

listen, warming = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "0"


def warm_slowly(progress: Progress) -> None:
    """Warm up in the given time, or fail."""
    if warming == "fail":
        raise RuntimeError("no compiler")
    time.sleep(float(warming))
    warm_up_at_once(progress)


if __name__ == "__main__":
    logs.configure(os.environ.get("LOG_FORMAT", "json"), layouts=compile_log.LAYOUTS)
    serve_strategies(listen, 3, FakeStrategies(warm_up=warm_slowly))
