"""The suite: positions searched by strategies, and the violations of their moves and scores."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from rich.table import Table
from rich.text import Text

from searcher.engine.result import Limits, Outcome, OutcomeKind
from searcher.engine.search.clock import Clock
from searcher.errors import InvalidRequestError
from searcher.interface import StrategyChoice, Task
from searcher.positions.suite import SuitePosition, read_suite
from searcher.precompile.code_units import codes_for
from searcher.precompile.prepare import prepare_code
from searcher.session import SearchSession
from searcher.tools.analysis_report import new_console, outcome_of, outcome_text
from searcher.tools.move_body_check import checked_task

DEFAULT_NODES = 400_000
"""The limit of nodes for searches without another limit: about the nodes of a move in a game."""


class Line(msgspec.Struct):
    """The search of one position; without violations it is passed. `strategy` is the strategy that ran."""

    name: str
    why: str
    strategy: str
    move: str
    score: float
    depth: int
    nodes: int
    outcome: Outcome | None
    violations: list[str]


class StrategyResult(msgspec.Struct):
    """All positions, searched by one strategy."""

    strategy: str
    passed: int
    failed: int
    positions: list[Line]


@dataclass(frozen=True, slots=True)
class Entry:
    """A position of a suite, and the task of searching it with each strategy."""

    position: SuitePosition
    tasks: Sequence[Task]


def read_entries(path: Path, choices: Sequence[StrategyChoice], limits: Limits) -> list[Entry]:
    """Return the positions of a file as tasks. Raises ValueError, with the line, for an invalid position."""
    entries = []
    for number, position in enumerate(read_suite(path), 1):
        try:
            tasks = [checked_task(position, choice, limits) for choice in choices]
        except InvalidRequestError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from None
        entries.append(Entry(position, tasks))
    return entries


def prepare(entries: Sequence[Entry]) -> None:
    """Compile the code of `run`, with progress. Raises FaultyEvaluatorError if an evaluator can't play."""
    tasks = [task for entry in entries for task in entry.tasks]
    prepare_code(codes_for(task.position, task.strategy)[0] for task in tasks)


def run(
    entries: Sequence[Entry], choices: Sequence[StrategyChoice], seconds: float
) -> Iterator[StrategyResult]:
    """Yield the result of each strategy: all positions, searched for at most `seconds` each."""
    session = SearchSession()
    for number, choice in enumerate(choices):
        lines = [_line(session, entry.position, entry.tasks[number], seconds) for entry in entries]
        failed = sum(bool(line.violations) for line in lines)
        yield StrategyResult(str(choice), len(lines) - failed, failed, lines)


def _line(session: SearchSession, position: SuitePosition, task: Task, seconds: float) -> Line:
    clock = Clock(time.monotonic() + seconds)
    result = session.search(task.position, task.strategy, task.limits, clock)
    move, outcome = result.move.name.lower(), outcome_of(result)
    return Line(
        name=position.name,
        why=position.why,
        strategy=str(task.strategy),
        move=move,
        score=result.score,
        depth=result.depth,
        nodes=result.nodes,
        outcome=outcome,
        violations=list(_violations(position, move, outcome)),
    )


def _violations(position: SuitePosition, move: str, outcome: Outcome | None) -> Iterator[str]:
    if move in position.avoid:
        yield f"plays {move}"
    if position.not_lost and outcome is not None and outcome.kind is OutcomeKind.LOSS:
        yield f"claims a loss in {outcome.turns}"


EXPECTED = (
    "Failures are expected: the positions were selected because searches had failed in them. The table in "
    "docs/search.md counts the positions that strategies pass with the default limit. Fewer after a change "
    "mean that the change has made the search weaker."
)
"""The explanation of the failures in the project's own suite."""


def report(results: Iterable[StrategyResult], as_json: bool, explanation: str = "") -> bool:
    """Print the results as JSON or as tables. Return whether every position passed.

    After failures in tables, also print the explanation.
    """
    finished = []
    for result in results:
        finished.append(result)
        if not as_json:
            _print_result(result)
    is_passed = not any(result.failed for result in finished)
    if explanation and not is_passed and not as_json:
        new_console().print(Text(f"\n{explanation}"))
    if as_json:
        print(msgspec.json.encode({"strategies": finished}).decode())
    return is_passed


def _print_result(result: StrategyResult) -> None:
    console = new_console()
    console.print(_table(result.positions))
    console.print()
    for line in result.positions:
        if line.violations:
            console.print(Text(f"{line.name}: {line.why}"))
    console.print(Text(f"{result.strategy}: {result.passed} passed, {result.failed} failed"))


def _table(lines: Sequence[Line]) -> Table:
    headers = "position", "strategy", "move", "score", "depth", "outcome", "result"
    table = Table(*headers, box=None, pad_edge=False)
    for name in ("score", "depth"):
        table.columns[headers.index(name)].justify = "right"
    for line in lines:
        result = Text(", ".join(line.violations) or "passed", "red" if line.violations else "")
        score, depth = f"{line.score:+.4f}", str(line.depth)
        table.add_row(line.name, line.strategy, line.move, score, depth, outcome_text(line.outcome), result)
    return table
