"""Getting compiled code ready, and refusing what isn't."""

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from searcher import strategies
from searcher.engine.position import Position
from searcher.engine.result import Limits
from searcher.engine.rules.records import SHAPES
from searcher.engine.search.clock import Clock
from searcher.errors import UnavailableError
from searcher.interface import Search
from searcher.parts import Part, all_parts, parts_for
from searcher.plugins.faults import Fault, FaultyEvaluatorError
from searcher.precompile import warmup
from searcher.precompile.warmup import CompiledSearch, CompiledStrategies
from searcher.strategies import DEFAULT
from tests.searcher.commands import run
from tests.searcher.engine.positions import snake
from tests.searcher.precompile.cheap_parts import CHEAP, ODD, CheapPart, OddPart

DUEL = Position(11, 11, (snake("a", "33 32 31"), snake("b", "77 78 79")), ((5, 5),))

WARM = """
from searcher.precompile import warmup
from tests.searcher.precompile import cheap_parts

if __name__ == "__main__":
    warmup.all_parts = lambda only: cheap_parts.{parts}
    warmup.warm_everything(lambda label, done, total: print(done, total, label))
    print([part.is_cached() for part in cheap_parts.{parts}])
"""
"""Warms a few parts; a file, because child processes read it again."""


def warm(parts: str, folder: Path) -> list[str]:
    """What warming tells in a process of its own with its own cache."""
    script = folder / "warm.py"
    script.write_text("import sys\nsys.path.insert(0, '')\n" + WARM.format(parts=parts))
    done = run(str(script), cache=folder / "cache")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_children_compile_into_the_cache(tmp_path: Path) -> None:
    """Each part is told as it gets ready and lies in the cache then; a second time nothing is to do."""
    *told, cached = warm("CHEAP", tmp_path)
    assert [line[:3] for line in told] == ["0 2", "1 2", "2 2"]
    assert cached == "[True, True]"
    assert warm("CHEAP", tmp_path) == ["[True, True]"]


def test_a_child_that_dies_is_made_up_for(tmp_path: Path) -> None:
    """What the children leave is compiled here, and that is told."""
    *told, cached = warm("DEADLY", tmp_path)
    assert "died" in told[-1]
    assert cached == "[True, True]"


def ready(*parts: Part, wanted: list[Part] | None = None) -> CompiledSearch:
    """A searcher for which these parts are ready; what it would like to be ready goes to the list."""
    return CompiledSearch(parts.__contains__, (list[Part]() if wanted is None else wanted).append)


def search(run: Search) -> int:
    """Return the depth of a short search of a duel."""
    return run(DUEL, DEFAULT, Limits(depth=3), Clock(math.inf)).depth


def test_what_is_not_ready_is_refused() -> None:
    """The error names what is being compiled."""
    smallest = parts_for(DUEL, DEFAULT)[0]
    with pytest.raises(UnavailableError, match=f"still compiling {smallest}"):
        search(ready())


@pytest.mark.parametrize("number", [0, 1, 2])
def test_any_ready_part_that_holds_the_position_serves(number: int) -> None:
    """A larger shape searches as well while the smallest isn't ready."""
    assert search(ready(parts_for(DUEL, DEFAULT)[number])) == 3


@pytest.mark.parametrize("number", [0, 1])
def test_the_smallest_part_is_wanted(number: int) -> None:
    """What serves instead of it is slower; once it serves, nothing is wanted."""
    parts, wanted = parts_for(DUEL, DEFAULT), list[Part]()
    search(ready(parts[number], wanted=wanted))
    assert wanted == [parts[0]] * number


def test_what_was_refused_is_compiled_next() -> None:
    """All parts keep their order, but for those with what a search was refused for."""
    offered, parts = CompiledStrategies(), all_parts()
    assert offered._next(parts) == parts[0]
    strategy = strategies.strategy_of("brs", "length")
    with pytest.raises(UnavailableError):
        offered.new_search()(DUEL, strategy, Limits(depth=1), Clock(math.inf))
    order = []
    for _ in range(3):
        order.append(offered._next([part for part in parts if part not in order]))
        offered._ready.update(order[-1].functions)
    shape = parts_for(DUEL, strategy)[0].shape
    chosen = {Part("brs", DEFAULT.evaluator, shape), Part(DEFAULT.search, "length", shape)}
    assert (set(order[:2]), order[2]) == (chosen, parts[0])


def test_a_part_of_another_strategy_does_not_serve() -> None:
    """Another evaluator's code is not what was asked for."""
    other = strategies.strategy_of("paranoid", "length")
    with pytest.raises(UnavailableError):
        search(ready(*parts_for(DUEL, other)))


def test_names_are_those_of_the_strategies() -> None:
    """What is offered is what the project has."""
    offered = CompiledStrategies()
    assert offered.offer.default == strategies.DEFAULT
    assert offered.offer.searches == strategies.SEARCHES
    assert offered.offer.evaluators == strategies.evaluators()


def test_a_few_strategies_can_be_offered() -> None:
    """Those asked for, and the default one."""
    offered = CompiledStrategies([strategies.parse_strategy("brs/area")])
    assert set(offered.offer.searches) == {DEFAULT.search, "brs"}
    assert set(offered.offer.evaluators) == {DEFAULT.evaluator, "area"}


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether something becomes true within a generous time."""
    deadline = time.monotonic() + 60
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


def is_served(offered: CompiledStrategies) -> bool:
    """Whether a duel is searched by now."""
    try:
        return search(offered.new_search()) == 3
    except UnavailableError:
        return False


def test_the_first_part_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What plays every game on 11x11 is ready when `warm_up` returns, the rest some time later."""
    eight, *_ = reversed(parts_for(DUEL, DEFAULT)[:3])
    parts: Sequence[Part] = [eight, *CHEAP]
    for part in parts:
        part.load()
    monkeypatch.setattr(warmup, "all_parts", lambda only: parts)
    told: list[str] = []
    offered = CompiledStrategies()
    assert not is_served(offered)
    offered.warm_up(lambda label, done, total: told.append(label))
    assert is_served(offered)
    assert eventually(lambda: offered._ready == {each for part in parts for each in part.functions})
    assert told == []


def test_a_faulty_evaluator_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails its trial is offered no more and never loaded; the rest gets ready."""
    first, *rest = [CheapPart(DEFAULT.search, DEFAULT.evaluator, SHAPES[0]), *CHEAP, ODD]
    for part in (first, *CHEAP):
        part.load()
    fault = Fault("slither", "it is not liked", "slither.py", 1)
    monkeypatch.setattr(warmup, "all_parts", lambda only: [first, *rest])
    monkeypatch.setattr(warmup, "faults_in", lambda evaluators: [fault])
    offered = CompiledStrategies()
    offered.warm_up(lambda label, done, total: None)
    assert eventually(lambda: "slither" not in offered.offer.evaluators)
    assert offered.offer.evaluators.keys() == strategies.evaluators().keys() - {"slither"}
    assert eventually(lambda: offered._ready.issuperset(CHEAP[0].functions))


def test_an_evaluator_that_does_not_compile_for_a_board_is_left_out() -> None:
    """Whatever its trial has said; only the default strategy's failure is everybody's."""
    offered = CompiledStrategies()
    offered._load(ODD)
    assert "slither" not in offered.offer.evaluators
    with pytest.raises(FaultyEvaluatorError, match="it is odd"):
        offered._load(OddPart(DEFAULT.search, DEFAULT.evaluator, SHAPES[0]))
