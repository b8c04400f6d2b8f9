"""Warming up, and refusing searches whose code is missing."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from google.rpc import error_details_pb2

from searcher import strategies
from searcher.engine.jit.function import Function
from searcher.engine.position import Direction, Position
from searcher.engine.result import Limits
from searcher.engine.rules.records import SHAPES, shapes_for
from searcher.engine.search.clock import Clock
from searcher.errors import COMPILING, CompilingError, UnavailableError
from searcher.interface import Evaluator, Search, Strategy, StrategyChoice
from searcher.plugins.faults import EvaluatorFault, FaultyEvaluatorError
from searcher.precompile import children, warmup
from searcher.precompile.code_units import (
    CodeUnit,
    EvaluatorCode,
    codes_for,
    turn_code_for,
)
from searcher.precompile.warmup import CompiledStrategies
from searcher.strategies import FALLBACK
from tests.searcher.command_line import run
from tests.searcher.engine.positions import snake
from tests.searcher.precompile.cheap_parts import CHEAP, FAULTY, FaultyCode

pytestmark = pytest.mark.usefixtures("all_shapes")

DUEL = Position(11, 11, (snake("a", "33 32 31"), snake("b", "77 78 79")), ((5, 5),))

WARM = """
import sys

sys.path.insert(0, "")

from searcher.precompile import prepare
from tests.searcher.precompile.cheap_parts import DEADLY

if __name__ == "__main__":
    prepare.all_codes = lambda only: DEADLY
    prepare.warm_everything(lambda label, done, total: print(done, total, label))
    print([part.is_cached() for part in DEADLY])
"""
"""A script to write to a file, because child processes import it again."""


def test_a_dead_child_is_replaced_by_its_parent(tmp_path: Path) -> None:
    """The parent compiles the parts that are left into the cache, and reports that."""
    script = tmp_path / "warm.py"
    script.write_text(WARM)
    done = run(str(script), cache=tmp_path / "cache")
    assert done.returncode == 0, done.stderr
    *reported, cached = done.stdout.splitlines()
    assert "died" in reported[-3]
    assert [line[:3] for line in reported[-2:]] == ["1 2", "2 2"]
    assert cached == "[True, True]"


def test_a_pool_that_breaks_within_a_call_is_replaced_by_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool notices the death of a child after its pipe is closed."""

    def submit(*_: object) -> None:
        raise OSError("handle is closed")

    monkeypatch.setattr(ProcessPoolExecutor, "submit", submit)
    shown: list[str] = []
    found = list(children.compile_all([*CHEAP], lambda label, *_: shown.append(label)))
    assert found == CHEAP
    assert any("died" in label for label in shown)


@pytest.fixture
def nothing_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """No code is in the cache."""
    monkeypatch.setattr(CodeUnit, "is_loadable", lambda code: False)
    monkeypatch.setattr(Function, "is_cached", lambda function: False)


def ready(*codes: CodeUnit) -> CompiledStrategies:
    """Return strategies of which this code alone is ready."""
    offered = CompiledStrategies()
    for code in codes:
        offered._ready.update(code.functions)
    return offered


def search(run: Search, position: Position = DUEL, choice: StrategyChoice = FALLBACK) -> int:
    """Return the depth of a short search, by default of a duel."""
    return run(position, choice.for_position(position), Limits(depth=3), Clock(math.inf), None).depth


@pytest.mark.usefixtures("nothing_stored")
def test_a_search_without_its_code_is_refused() -> None:
    """The error names the part that is being compiled, and the time and the functions that are left."""
    smallest = codes_for(DUEL, FALLBACK)[0]
    count = len(smallest.functions)
    text = f"still compiling {smallest}: 0 s so far, {count} of {count} functions left"
    with pytest.raises(CompilingError, match=text) as raised:
        search(ready().new_search())
    [detail] = raised.value.details()
    assert isinstance(detail, error_details_pb2.ErrorInfo) and detail.reason == COMPILING


@pytest.mark.usefixtures("nothing_stored")
def test_evaluations_and_turns_wait_for_their_code() -> None:
    """Without code of the evaluator or of the rules, the errors name it; each needs nothing else."""
    up = dict.fromkeys((snake.id for snake in DUEL.snakes), Direction.UP)
    with pytest.raises(
        UnavailableError, match="still compiling the evaluator balanced for 2 snakes on 11x11"
    ):
        ready(turn_code_for(DUEL)).evaluate(DUEL, FALLBACK)
    with pytest.raises(UnavailableError, match="still compiling the rules for 2 snakes on 11x11"):
        ready(EvaluatorCode(FALLBACK.evaluator, shapes_for(DUEL)[0])).advance(DUEL, up)
    assert len(ready(EvaluatorCode(FALLBACK.evaluator, shapes_for(DUEL)[1])).evaluate(DUEL, FALLBACK)) == 2
    assert ready(turn_code_for(DUEL)).advance(DUEL, up).position.turn == DUEL.turn + 1


def eventually(condition: Callable[[], bool]) -> bool:
    """Return whether a condition becomes true within a generous time."""
    deadline = time.monotonic() + 60
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


def is_served(offered: CompiledStrategies) -> bool:
    """Return whether a duel can be searched now."""
    try:
        return search(offered.new_search()) == 3
    except UnavailableError:
        return False


def test_the_first_part_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The part for every game on 11x11 is ready when `warm_up` returns. Code on disk is not compiled."""
    eight, *_ = reversed(codes_for(DUEL, FALLBACK)[:3])
    for part in (parts := [eight, *CHEAP]):
        part.load()
    monkeypatch.setattr(warmup, "first_codes", lambda: [eight])
    monkeypatch.setattr(warmup, "ahead_codes", lambda only: parts)
    labels: list[str] = []
    with closing(CompiledStrategies()) as offered:
        offered.warm_up(lambda label, done, total: labels.append(label))
        assert is_served(offered)
    assert labels == []


def test_an_evaluator_that_is_not_tried_yet_waits_for_its_trial() -> None:
    """Stored code does not run before its evaluator has passed its trial."""
    offered = CompiledStrategies()
    offered.offer = replace(offered.offer, on_trial={FALLBACK.evaluator})
    assert not is_served(offered)


def test_evaluators_that_are_needed_soon_are_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The evaluators of the routes play sooner, and a fault of theirs is found sooner."""
    tried: list[str] = []

    def note(candidates: Iterable[Evaluator], *_: object) -> tuple[()]:
        tried.extend(evaluator.name for evaluator in candidates)
        return ()

    monkeypatch.setattr(warmup, "trial_faults", note)
    monkeypatch.setattr(warmup, "ahead_codes", lambda ahead: [])
    with closing(CompiledStrategies(ahead=[Strategy("paranoid", "solo", {})])) as offered:
        offered.offer = replace(offered.offer, on_trial={"area", "solo"})
        offered.warm_up(lambda label, done, total: None)
    assert tried == ["solo", "area"]


def test_a_faulty_evaluator_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """An evaluator that fails its trial leaves the offer and is never compiled; the others are compiled."""
    compiled: list[CodeUnit] = []

    def compile_all(codes: list[CodeUnit], *_: object, **__: object) -> Iterator[CodeUnit]:
        compiled.extend(codes)
        return iter(())

    monkeypatch.setattr(warmup, "first_codes", list)
    monkeypatch.setattr(warmup, "ahead_codes", lambda only: [FAULTY, OTHER])
    monkeypatch.setattr(warmup, "trial_faults", lambda *_: [EvaluatorFault("fitted", "it fails", "a.py", 1)])
    monkeypatch.setattr(warmup, "compile_all", compile_all)
    with closing(CompiledStrategies()) as offered:
        offered.warm_up(lambda label, done, total: None)
        assert eventually(lambda: compiled == [OTHER])
        assert offered.offer.evaluators.keys() == strategies.evaluators().keys() - {"fitted"}


OTHER = FaultyCode("length", SHAPES[1])


def test_an_evaluator_that_does_not_compile_for_a_board_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves the offer, and the background thread goes on."""
    monkeypatch.setattr(children, "can_store", lambda: False)
    monkeypatch.setattr(warmup, "first_codes", list)
    monkeypatch.setattr(warmup, "ahead_codes", lambda only: [FAULTY, OTHER])
    with closing(CompiledStrategies()) as offered:
        offered.warm_up(lambda label, done, total: None)
        assert eventually(lambda: not {"fitted", "length"} & offered.offer.evaluators.keys())


def test_a_fault_of_the_default_strategy_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A searcher can't do without it."""
    monkeypatch.setattr(children, "can_store", lambda: False)
    monkeypatch.setattr(warmup, "first_codes", lambda: [OTHER])
    with pytest.raises(FaultyEvaluatorError, match="it is faulty"):
        CompiledStrategies().warm_up(lambda label, done, total: None)
