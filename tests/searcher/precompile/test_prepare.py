"""Preparing code, and the evaluators that it needs."""

from pathlib import Path

import pytest

from searcher.engine.rules.records import SHAPES
from searcher.plugins.faults import EvaluatorFault, FaultyEvaluatorError
from searcher.precompile import prepare
from searcher.precompile.code_units import StrategyCode
from searcher.precompile.prepare import prepare_code
from tests.searcher.command_line import run
from tests.support.terminal import on_terminal

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

ERASE = "\x1b[2K"
"""The control characters that erase a line of a terminal."""

SHOW = """
from searcher.precompile.prepare import ShownProgress

progress = ShownProgress()
progress("compiling one", 0, 2)
progress.close()
"""


def test_an_evaluator_that_fails_its_trial_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its fault is raised before anything is compiled. Trusted evaluators need no trial."""
    fault = EvaluatorFault("area", "it fails", "area.py", 1)
    monkeypatch.setattr(prepare, "has_passed", lambda evaluator: False)
    monkeypatch.setattr(prepare, "is_trusted", lambda evaluator: evaluator == "balanced")
    monkeypatch.setattr(prepare, "trial_faults", lambda evaluators: [fault])
    with pytest.raises(FaultyEvaluatorError, match="it fails"):
        prepare_code(StrategyCode("paranoid", name, SHAPES[0]) for name in ("area", "balanced"))
    assert capsys.readouterr() == ("", "[0/1] trying area\n")


def test_progress_is_shown_only_if_something_is_compiled(tmp_path: Path) -> None:
    """The second process finds the code in the cache, shows nothing and imports nothing for compiling."""
    script = tmp_path / "prepare.py"
    script.write_text("import sys\nsys.path.insert(0, '')\n" + PREPARE)
    first, second = (run(str(script), cache=tmp_path / "cache") for _ in range(2))
    assert first.stdout.splitlines()[0] == "[True, True]", first.stderr
    begun, *done = first.stderr.splitlines()
    names = [f"the evaluator length for {snakes} snakes on 11x11" for snakes in (4, 2)]
    assert begun == f"[0/2] compiling {names[0]}"
    assert {line.partition(" ")[2] for line in done} == {f"compiled {name}" for name in names}
    assert [line.partition(" ")[0] for line in done] == ["[1/2]", "[2/2]"]
    assert (second.stdout.splitlines(), second.stderr) == (["[True, True]", "imported set()"], "")


def test_a_bar_disappears() -> None:
    """On a terminal the progress is a bar, which is erased before anything else is printed."""
    with on_terminal("-c", SHOW) as lines:
        shown = "\n".join(lines)
    assert "compiling one" in shown
    assert "[0/2]" not in shown
    assert ERASE in shown.rpartition("compiling one")[2]
