"""The benchmark of the gateway's overhead."""

import re

import pytest
from click.testing import CliRunner

from benchmarks.overhead import main
from tests.support.services import ROOT


@pytest.mark.rest("play against the clock")
def test_two_gateways_get_the_same_turns(compiled: None) -> None:
    """Each has figures of all calls of both snakes. The overhead is a part of a call."""
    arguments = ["--turns", "8", "--snakes", "2", "--timeout", "300", "--beside", str(ROOT)]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    found = dict(re.findall(r"\| ([^|]+\S) +\| +([\d.]+ +\| +[\d.]+) ", result.output))
    figures = {name: [float(each) for each in cells.split("|")] for name, cells in found.items()}
    assert all(0 < count <= 16 for count in figures["moves"])
    for p50, p99 in zip(figures["overhead p50, ms"], figures["overhead p99, ms"], strict=True):
        assert 0 < p50 <= p99 < 300
    assert all(0 < each < 500 for each in figures["gateway's processor time, ms a move"])
