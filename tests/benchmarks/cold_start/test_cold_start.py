"""The benchmark of cold starts, with a real searcher and a real snake."""

import re

import pytest
from click.testing import CliRunner

from benchmarks.cold_start.__main__ import main


@pytest.mark.alone
def test_a_start_shows_every_figure(compiled: None) -> None:
    """A snake answers before it moves, and moves before it has searched."""
    result = CliRunner().invoke(main, ["--starts", "1", "--timeout", "500"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    seconds = dict(re.findall(r"(\w+: [^│]+), s *│ (\d+\.\d\d)", result.output))
    answer, move, searched = (
        float(seconds[f"snake: first {what}"]) for what in ("answer of /", "move", "searched move")
    )
    assert 0 < answer <= move <= searched
    assert float(seconds["snake: the same without its search"]) < searched
    assert float(seconds["searcher: SERVING"]) > 0
    assert len(re.findall(r"MB *│ [1-9]\d* ", result.output)) == 6
