"""An analysis from beginning to end."""

import math
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from searcher.engine.result import Limits, Result
from searcher.engine.search.clock import Clock
from searcher.interface import OnDepth, StrategyChoice, Task
from searcher.precompile.parts import parts_for
from searcher.precompile.prepare import prepare_code
from searcher.serving.move_body_check import checked_task
from searcher.session import SearchSession
from searcher.strategies import AUTO_NAME, FALLBACK, parse_choice, parse_strategy, strategy_of
from searcher.tools.analysis.document import JsonReport
from searcher.tools.analysis.report import TextReport
from searcher.tools.analysis.source import read_source
from searcher.tools.weights import parse_weights

DEFAULT_TIME = 0.4
"""Seconds of search if nothing limits it."""


def analyze(
    file: str,
    you: str | None,
    choice: StrategyChoice,
    limits: Limits,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Search the position in FILE or FILE:TURN, and print the results.

    Raises ValueError, or InvalidRequestError for an invalid position, weight or limit.
    """
    source = read_source(file, you)
    if seconds is None and limits.depth is None and limits.nodes is None:
        seconds = DEFAULT_TIME
    task = replace(checked_task(source.body, choice, limits), time=seconds)
    prepare_code(parts_for(task.position, task.strategy)[:1])
    report = JsonReport(source, task) if as_json else TextReport(source, task)
    report.begin()
    report.end(_search(task, report.depth))


def choice_with(name: str, weights: str | None) -> StrategyChoice:
    """Return the choice of this name with the weights of an option. Raises ValueError."""
    if weights is None:
        return parse_choice(name)
    if name == AUTO_NAME:
        raise ValueError(
            f"{AUTO_NAME} has no weights: it chooses the evaluator; name a strategy with --strategy"
        )
    strategy = parse_strategy(name) if name else FALLBACK
    return strategy_of(strategy.search, strategy.evaluator, parse_weights(weights, strategy.evaluator))


def _search(task: Task, on_depth: OnDepth) -> Result:
    """Search until a limit or the user ends it.

    The search runs in a thread of its own, because Python handles signals in the main thread, between steps
    of Python code.
    """
    session = SearchSession()
    clock = Clock(time.monotonic() + (math.inf if task.time is None else task.time))
    former = signal.signal(signal.SIGINT, lambda *_: clock.stop())
    try:
        with ThreadPoolExecutor(1) as pool:
            search = session.search
            return pool.submit(search, task.position, task.strategy, task.limits, clock, on_depth).result()
    finally:
        signal.signal(signal.SIGINT, former)
