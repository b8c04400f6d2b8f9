"""The benchmark: its signature and its figures for each position."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from searcher.engine.jit import code_cache
from searcher.positions.bench import bench_positions
from searcher.strategies import parse_strategy
from searcher.tools.bench import prepare, run
from tests.searcher.command_line import assert_refused, call, command

SIGNATURE = Path(__file__).with_name("bench_signature.txt")
OF_FEW_SHAPES = Path(__file__).with_name("bench_signature_of_few_shapes.txt")


@pytest.mark.parametrize(
    ("start", "signature"),
    [(call, OF_FEW_SHAPES), pytest.param(command, SIGNATURE, marks=pytest.mark.rest("other board shapes"))],
)
def test_the_signature_and_the_figures(start: Callable[..., CompletedProcess[str]], signature: Path) -> None:
    """The nodes at fixed depths match the recorded signature, and all figures in the JSON are plausible.

    A process of its own searches in the shapes that users get. Entries of the table of positions depend on
    the shape, and so do nodes.
    """
    done = start("bench", "--json")
    assert done.returncode == 0, done.stderr
    bench = json.loads(done.stdout)
    assert bench["signature"] == int(signature.read_text())
    assert bench["signature"] == bench["nodes"] == sum(line["nodes"] for line in bench["positions"])
    assert bench["nodes_per_second"] == pytest.approx(bench["nodes"] / bench["seconds"])
    assert bench["strategy"] == "paranoid/area"
    expected = [(entry.name, len(entry.board.snakes), entry.depth) for entry in bench_positions()]
    assert [(line["name"], line["snakes"], line["depth"]) for line in bench["positions"]] == expected
    for line in bench["positions"]:
        assert line.keys() == {"name", "snakes", "depth", "nodes", "seconds", "evaluations"}
        assert 0 < line["evaluations"] <= line["nodes"]
        assert line["seconds"] > 0


def test_a_prepared_benchmark_loads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """All code that it runs in its own process is compiled or loaded beforehand."""
    strategy = parse_strategy("paranoid/area")
    prepare(strategy)
    monkeypatch.setattr(code_cache, "find", lambda _: pytest.fail("code is loaded late"))
    assert run(strategy, milliseconds=None, depth=1, threads=1).nodes > 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--strategy", "minimax"), ("'minimax'", "paranoid/area", "length")),
        (("--time", "5", "--depth", "5"), ("--time", "--depth")),
    ],
)
def test_bad_arguments_are_refused(arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    """The error names the argument and its valid values."""
    assert_refused(call("bench", *arguments), *words)
