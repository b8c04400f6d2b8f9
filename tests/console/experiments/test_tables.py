"""The report as tables on a terminal."""

import asyncio
from collections.abc import Sequence
from io import StringIO
from typing import Any

from rich.console import Console

from battlesnake_search.record.outcome import Outcome, ShadowRecord, StrategyRecord
from console.experiments import tables
from console.experiments.report import Experiment, report
from tests.console.conftest import Recorded
from tests.console.experiments.duels import duels
from tests.console.store.outcome_samples import outcome_with

WIDTH = 80
"""The columns of a terminal."""


def _shown(experiments: Sequence[Experiment]) -> str:
    """Return the output on a terminal."""
    console = Console(file=StringIO(), width=WIDTH, record=True)
    tables.show(experiments, console)
    return console.export_text()


def _of(recorded: Recorded, *outcomes: Outcome) -> list[Experiment]:
    return asyncio.run(report(recorded(outcomes)))


HALVES = {"champion": 0.5, "challenger": 0.5}


def _drawn(digest: str = "0123456789abcdef", **weights: float) -> dict[str, Any]:
    """Return the fields of a game of an arm that plays s/e with this digest and these weights."""
    searched = {"s/e": StrategyRecord(weights, digest)}
    return {"control": "champion", "shares": HALVES, "setup": "s", "searched": searched}


def _sentence(text: str) -> str:
    """Return the text without the breaks of its lines."""
    return " ".join(text.split())


def test_a_mismatch_of_the_draw_is_a_warning(recorded: Recorded) -> None:
    """The warning has the games of each arm and the games that its share predicts."""
    games = [*duels("x", "champion", 99, 0, 0, **_drawn()), *duels("x", "challenger", 41, 0, 0, **_drawn())]
    assert "WARNING" not in _shown(_of(recorded, *games[:10], *games[-10:]))
    experiments = _of(recorded, *games)
    warning = "WARNING: sample ratio mismatch: of 140 games challenger has 41 games instead of about 70"
    assert warning in _sentence(_shown(experiments))


def test_a_strategy_is_shown_with_its_weights_and_digest(recorded: Recorded) -> None:
    """Each arm has its strategy, digest and weights; earlier series have a line each."""
    old, new = _drawn("fedcba9876543210"), _drawn(food=0.27, area=0.5)
    games = [*duels("x", "blue", 3, 0, 1, **old), *duels("x", "blue", 0, 1, 0, start=4, **new)]
    text = _sentence(_shown(_of(recorded, *games)))
    assert "blue plays s/e [01234567] with area 0.5, food 0.27" in text
    assert "blue played s/e [fedcba98] until 2026-01-02 03:07 UTC: 4 games, 3/0/1, score 0.750" in text


def test_a_comparison_since_a_change_tells_its_games(recorded: Recorded) -> None:
    """If only some counted games are compared, their number is shown."""
    games = [
        *duels("x", "champion", 9, 0, 0, **_drawn()),
        *duels("x", "challenger", 1, 0, 0, **_drawn("old")),
        *duels("x", "champion", 0, 1, 0, start=9, **_drawn()),
        *duels("x", "challenger", 2, 0, 0, start=9, **_drawn("new")),
    ]
    text = _sentence(_shown(_of(recorded, *games)))
    assert "It compares the 2 and 1 games since the last change, each counted once for an arm." in text


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


def test_games_that_do_not_count_and_late_moves_are_explained(recorded: Recorded) -> None:
    """Each kind of game has a column and a sentence if an arm has such games, and so have late moves."""
    unseen = outcome_with(game_id="unseen", seen_from=7)
    unfinished = outcome_with(game_id="unfinished", ended=False, result=None)
    named = outcome_with(game_id="named", drawn=False)
    late = outcome_with(game_id="late", moves=1_200, timeouts=3)
    text = " ".join(_shown(_of(recorded, unseen, unfinished)).split())
    heading = text.partition("──")[0]
    assert "not seen" in heading and "unfinished" in heading
    text = " ".join(_shown(_of(recorded, named, late)).split())
    assert "not drawn: a request named the arm" in text
    assert "late: the answer came too late, so the engine moved the snake straight on" in text
    assert "not seen: the gateways missed the first turn" in text
    assert "unfinished: no end of these games has arrived" in text
