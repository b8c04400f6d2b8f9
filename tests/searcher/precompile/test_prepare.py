"""Preparing code, and the evaluators that it needs."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

import click
import pytest

from arena.commands.main import main as arena
from searcher.commands.main import main as searcher
from searcher.engine.rules.records import SHAPES
from searcher.plugins.faults import EvaluatorFault, FaultyEvaluatorError
from searcher.precompile import children, prepare
from searcher.precompile.code_units import CodeUnit, StrategyCode, TurnCode
from searcher.precompile.prepare import prepare_code
from tests.arena.match_files import write
from tests.arena.report.random_games import DUEL, random_match, setup_of
from tests.searcher.command_line import ROOT, run
from tests.support.commands import called
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


@pytest.fixture
def fault(monkeypatch: pytest.MonkeyPatch) -> EvaluatorFault:
    """The fault that each trial finds, in a cache in which no evaluator has passed."""
    fault = EvaluatorFault("area", "it fails", "area.py", 1)
    monkeypatch.setattr(prepare, "has_passed", lambda evaluator: False)
    monkeypatch.setattr(prepare, "is_trusted", lambda evaluator: evaluator in ("balanced", "hungry"))
    monkeypatch.setattr(prepare, "trial_faults", lambda evaluators: [fault])
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
    assert progress[0] == f"[0/2] compiling {names[0]}"
    assert {line.partition(" ")[2] for line in progress[1:]} == {f"compiled {name}" for name in names}
    assert [line.partition(" ")[0] for line in progress[1:]] == ["[1/2]", "[2/2]"]
    assert prepare_cheap(tmp_path, tmp_path / "cache") == (["[True, True]", "imported set()"], [])


def test_without_a_cache_each_process_compiles(tmp_path: Path) -> None:
    """The code is compiled in the process itself, and the progress is shown as well."""
    (tmp_path / "a-file").touch()
    output, progress = prepare_cheap(tmp_path, tmp_path / "a-file")
    assert output[0] == "[False, False]"
    shown = [line.partition(" ")[0] for line in progress if line.startswith("[")]
    assert shown == ["[0/2]", "[1/2]", "[2/2]"]


def test_an_evaluator_that_fails_its_trial_is_refused(
    fault: EvaluatorFault, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its fault is raised before anything is compiled, and standard error says what was tried."""
    with pytest.raises(FaultyEvaluatorError, match="it fails"):
        prepare_code(
            [StrategyCode("paranoid", "area", SHAPES[0]), StrategyCode("paranoid", "length", SHAPES[0])]
        )
    assert capsys.readouterr() == ("", "[0/2] trying area, length\n")


def test_trusted_evaluators_need_no_trial(fault: EvaluatorFault) -> None:
    """Nothing is tried for them."""
    names = ["balanced", "hungry", "balanced"]
    assert prepare.untried(names) == []
    assert list(prepare.try_evaluators(names, lambda *_: pytest.fail("something is tried"))) == []


def test_the_pieces_of_a_part_are_its_functions() -> None:
    """Several cores can compile one part, and parts with the same search share its units."""
    one, other = (StrategyCode("paranoid", name, SHAPES[0]) for name in ("area", "length"))
    units = [unit.functions for unit in one.units]
    assert sorted(map(str, units)) == sorted(str((function,)) for function in one.functions)
    assert TurnCode(SHAPES[0]).functions in units
    shared = set(units).intersection(unit.functions for unit in other.units)
    assert shared == {(function,) for function in one.search_functions}


def test_a_function_of_a_part_is_named() -> None:
    """The name of a unit has its strategy, the shape of its boards and its function."""
    unit = StrategyCode("paranoid", "length", SHAPES[0]).units[0]
    assert str(unit) == "paranoid/length for 2 snakes on 11x11: evaluate"


POSITION = "tests/fixtures/requests/standard-move-late-84.json"
TRANSITIONS = ROOT / "tests" / "fixtures" / "transitions.jsonl.gz"

ERASE = "\x1b[2K"
"""The control characters that erase a line of a terminal."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a match and a recorded turn, both for two snakes."""
    with gzip.open(TRANSITIONS, "rt") as lines:
        duel = next(line for line in lines if len(json.loads(line)["before"]["snakes"]) == 2)
    (tmp_path / "turns.jsonl").write_text(duel)
    match = random_match(setup_of(DUEL), 1)
    write(tmp_path / "match.jsonl", match.setup, match.blocks)
    return tmp_path


@pytest.mark.parametrize(
    ("main", "arguments", "label"),
    [
        (
            searcher,
            ("analyze", POSITION, "--strategy", "paranoid/length", "--depth", "2"),
            "paranoid/length for 2 snakes on 11x11: evaluate",
        ),
        (searcher, ("conformance", "{folder}/turns.jsonl"), "the rules for 2 snakes on 11x11"),
        (arena, ("report", "{folder}/match.jsonl"), "the rules for 2 snakes on 11x11"),
    ],
    ids=["analyze", "conformance", "report"],
)
def test_a_command_that_compiles_shows_it(
    main: click.Command,
    arguments: tuple[str, ...],
    label: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Standard error names the function that the cache lacks, before anything else."""

    def missing(codes: Iterable[CodeUnit]) -> list[CodeUnit]:
        return [unit for code in codes for unit in code.units if str(unit) == label]

    monkeypatch.setattr(prepare, "missing_units", missing)
    monkeypatch.setattr(children, "can_store", lambda: False)
    done = called(main, *(part.format(folder=folder) for part in arguments))
    assert done.exit_code == 0, done.output
    assert done.stderr.splitlines()[:2] == [f"[0/1] compiling {label}", f"[1/1] compiled {label}"]
    assert label not in done.stdout


def test_a_bar_disappears() -> None:
    """On a terminal the progress is a bar, which is erased before anything else is printed."""
    with on_terminal("-m", "searcher", "try", "length") as lines:
        shown = "\n".join(lines)
    assert "trying length" in shown
    assert "[0/1]" not in shown
    assert ERASE in shown.rpartition("trying length")[2]
