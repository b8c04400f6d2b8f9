"""Preparing code, and the evaluators that it needs."""

from pathlib import Path

import pytest

from searcher.engine.rules.records import SHAPES
from searcher.plugins.faults import Fault, FaultyEvaluatorError
from searcher.precompile import evaluator_trials
from searcher.precompile.code import Turns
from searcher.precompile.parts import Part
from searcher.precompile.prepare import prepare_code
from searcher.strategies import FALLBACK
from tests.searcher.command_line import run

PREPARE = """
import sys
from searcher.precompile.prepare import prepare_code
from tests.searcher.precompile import cheap_parts

if __name__ == "__main__":
    prepare_code(cheap_parts.CHEAP)
    print([part.is_cached() for part in cheap_parts.CHEAP])
    print("imported", {"concurrent.futures.process", "rich.progress"}.intersection(sys.modules))
"""
"""A script that prepares cheap parts, to write to a file, because child processes import it again."""


@pytest.fixture
def fault(monkeypatch: pytest.MonkeyPatch) -> Fault:
    """The fault that each trial finds, in a cache in which no evaluator has passed."""
    fault = Fault("area", "it fails", "area.py", 1)
    monkeypatch.setattr(evaluator_trials, "has_passed", lambda evaluator: False)
    monkeypatch.setattr(evaluator_trials, "trial_faults", lambda evaluators: [fault])
    return fault


def prepare_cheap(folder: Path, cache: Path) -> tuple[list[str], list[str]]:
    """Prepare cheap parts in another process; return its lines of output and of standard error."""
    script = folder / "prepare.py"
    script.write_text("import sys\nsys.path.insert(0, '')\n" + PREPARE)
    done = run(str(script), cache=cache)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr.splitlines()


def test_progress_is_shown_only_if_something_is_compiled(tmp_path: Path) -> None:
    """The second process finds the code in the cache, shows nothing and imports nothing for compiling."""
    names = [f"paranoid/length for {snakes} snakes on 11x11: evaluate" for snakes in (2, 4)]
    output, progress = prepare_cheap(tmp_path, tmp_path / "cache")
    assert output[0] == "[True, True]"
    assert progress[:2] == ["[0/1] trying length", f"[0/2] compiling {names[0]}"]
    assert {line.partition(" ")[2] for line in progress[2:]} == {f"compiled {name}" for name in names}
    assert [line.partition(" ")[0] for line in progress[2:]] == ["[1/2]", "[2/2]"]
    assert prepare_cheap(tmp_path, tmp_path / "cache") == (["[True, True]", "imported set()"], [])


def test_without_a_cache_each_process_compiles(tmp_path: Path) -> None:
    """The code is compiled in the process itself, and the progress is shown as well."""
    (tmp_path / "a-file").touch()
    output, progress = prepare_cheap(tmp_path, tmp_path / "a-file")
    assert output[0] == "[False, False]"
    shown = [line.partition(" ")[0] for line in progress if line.startswith("[")]
    assert shown == ["[0/1]", "[0/2]", "[1/2]", "[2/2]"]


def test_an_evaluator_that_fails_its_trial_is_refused(
    fault: Fault, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its fault is raised before anything is compiled, and standard error says what was tried."""
    with pytest.raises(FaultyEvaluatorError, match="it fails"):
        prepare_code([Part("paranoid", "area", SHAPES[0]), Part("paranoid", "length", SHAPES[0])])
    assert capsys.readouterr() == ("", "[0/2] trying area, length\n")


def test_the_evaluators_of_the_default_strategy_need_no_trial(fault: Fault) -> None:
    """They are tested with the project, and so are the rules."""
    parts = [
        Part(FALLBACK.search, name, shape) for shape in SHAPES for name in ("balanced", "hungry", "solo")
    ]
    assert evaluator_trials.untried(parts) == []
    assert list(evaluator_trials.try_evaluators(parts, lambda *_: pytest.fail("something is tried"))) == []


def test_the_pieces_of_a_part_are_its_functions() -> None:
    """Several cores can compile one part, and parts with the same search share its pieces."""
    one, other = (Part("paranoid", name, SHAPES[0]) for name in ("area", "length"))
    pieces = [piece.functions for piece in one.pieces]
    assert sorted(map(str, pieces)) == sorted(str((function,)) for function in one.functions)
    assert Turns(SHAPES[0]).functions in pieces
    shared = set(pieces).intersection(piece.functions for piece in other.pieces)
    assert shared == {(function,) for function in one.search_functions}


def test_a_function_of_a_part_is_named() -> None:
    """The name of a piece has its strategy, the shape of its boards and its function."""
    piece = Part("paranoid", "length", SHAPES[0]).pieces[0]
    assert str(piece) == "paranoid/length for 2 snakes on 11x11: evaluate"
