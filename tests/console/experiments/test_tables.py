"""The report as tables on a terminal."""

import asyncio
from collections.abc import Sequence
from io import StringIO

from rich.console import Console

from battlesnake_search.record.outcome import Outcome, ShadowRecord
from console.experiments import tables
from console.experiments.report import Experiment, report
from tests.console.conftest import Recorded
from tests.console.experiments.duels import duels

WIDTH = 80
"""The columns of a terminal."""


def _shown(experiments: Sequence[Experiment]) -> str:
    """Return the output on a terminal."""
    console = Console(file=StringIO(), width=WIDTH, record=True)
    tables.show(experiments, console)
    return console.export_text()


def _of(recorded: Recorded, *outcomes: Outcome) -> list[Experiment]:
    return asyncio.run(report(recorded(outcomes)))


TEXT = """
x
 arm     games     W/D/L                win share   score
──────────────────────────────────────────────────────────
 blue      105   80/5/20   0.762 (0.672 to 0.833)   0.786
 green      10     4/0/6   0.400 (0.168 to 0.687)   0.400

                       full     best so               failed               late
 arm      moves      search         far   reflex       calls   late      deaths
────────────────────────────────────────────────────────────────────────────────
 blue    10,500      92.0 %       5.0 %    3.0 %         210    105         105
 green    1,000      95.0 %       3.0 %    2.0 %          20

failed calls: moves for which a call of a searcher failed; the gateway's log has
the errors
late: the answer came too late, so the engine moved the snake straight on,
perhaps to death
late deaths: games in which the snake died by a late answer
No difference is shown yet: of 100 games, blue may win anything from 50 fewer to
100 more than green, the control. A draw counts half. Each arm needs at least 30
games before anything is decided: blue has 105 and green has 10. Still missing:
20 games.
blue plays paranoid/blue
green plays paranoid/green
next plays paranoid/length
other plays paranoid/length

 shadow   arm     games   moves   agrees   depth (arm's)     score (arm's)
───────────────────────────────────────────────────────────────────────────
 next     blue      105    9450   80.0 %       6.5 (7.5)   +0.250 (-0.125)
 other    green      10     900   80.0 %       6.5 (7.5)   +0.250 (-0.125)

"""


def test_the_whole_output_is_lines_that_can_be_read_down(recorded: Recorded) -> None:
    """Names are aligned to the left and numbers to the right, in the tables of arms and of shadows."""
    shadow = ShadowRecord("paranoid/length", 90, 72, 6.5, 0.25, 7.5, -0.125)
    sources = {"moves_best_so_far": 5, "moves_stand_in": 0, "moves_failed": 2}
    late = {"timeouts": 1, "died_late": True}
    blue = duels("x", "blue", 80, 5, 20, shadows={"next": shadow}, moves_searched=97, **sources, **late)
    green = duels("x", "green", 4, 0, 6, shadows={"other": shadow})
    lines = _shown(_of(recorded, *blue, *green)).splitlines()
    assert [line.rstrip() for line in lines] == TEXT.splitlines()[1:]
