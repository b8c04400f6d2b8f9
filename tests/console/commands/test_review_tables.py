"""Reviews as sentences and tables."""

from typing import Any

import msgspec
import pytest

from console.commands.review_tables import as_json, headline, show
from console.reviews.review import Review, TurnReview, Valued, turn_review
from console.store.values import Ending
from tests.console.web.script import duel

BLUNDERS = """
  turn   played       score   better   score   loss   depth
     3   up           +0.10   left     +0.50   0.40       9
     5   up       loss in 7   left     +0.25   1.25       9   losing turn
"""

CAUSES = """
                                 Lost games (medians)
  cause of death   games   losing turn before the end   proven before the end   depth
  wall-collision       2                            4                       -      12
"""


def _table(printed: str) -> list[str]:
    """Return the lines of a table, without the rule below its head and the sentences before it."""
    lines = [line.rstrip() for line in printed.splitlines()]
    return [line for line in lines if line.startswith("  ") and "─" not in line]


def _turn(number: int, played: float, other: float) -> TurnReview:
    def valued(move: str, score: float) -> Valued:
        return Valued(move, score, 9, 400.0, Ending("loss", 7) if score == -1 else None)

    return turn_review(number, valued("up", played), valued("left", other))


TURNS = [_turn(3, 0.1, 0.5), _turn(4, 0.2, 0.1), _turn(5, -1, 0.25)]


def _review(**fields: Any) -> Review:
    game = duel()
    found: dict[str, Any] = {"result": "lost", "cause": "wall-collision", "died_at": 9, "turns": TURNS}
    found |= {
        "blunders": [3, 5],
        "lost_at": 5,
        "seen_at": 6,
        "seen_depth": 12,
        "story": None,
        "summary": "",
        "better_line": [],
        "unsearched": [],
    }
    return Review(game=game.id, snake=game.snakes[0].id, seconds=1.0, **(found | fields))


def test_a_lost_game_in_a_sentence() -> None:
    """It has the cause and the summary."""
    words = "Turn 5 lost the game: up was played, and left still held."
    assert headline(_review(summary=words), "Ann") == f"Game {duel().id}: Ann lost (wall-collision). {words}"


def test_blunders_have_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    """The losing turn is marked, proven ends stand in place of scores, and other turns are left out."""
    show([duel()], [_review()])
    printed = capsys.readouterr().out
    assert printed.startswith(f"Game {duel().id}: one lost (wall-collision). ")
    assert _table(printed) == [line for line in BLUNDERS.splitlines() if line]


def test_a_losing_turn_needs_no_proof(capsys: pytest.CaptureFixture[str]) -> None:
    """The game shows that its move lost. A proven loss before it is none, because the opponents erred."""
    proven, unproven = TURNS[2], TURNS[1]
    turns = [
        msgspec.structs.replace(proven, turn=3),
        msgspec.structs.replace(unproven, turn=5),
    ]
    show([duel()], [_review(turns=turns, blunders=[3])])
    _, forgiven, losing = _table(capsys.readouterr().out)
    assert forgiven.split()[:5] == ["3", "up", "loss", "in", "7"]
    assert forgiven.endswith("the opponents let it go")
    assert losing.split()[:3] == ["5", "up", "lost"] and losing.endswith("losing turn")


@pytest.mark.parametrize(("results", "has_causes"), [(["lost", "won"], False), (["lost", "lost"], True)])
def test_several_lost_games_have_their_causes(
    capsys: pytest.CaptureFixture[str], results: list[str], has_causes: bool
) -> None:
    """The table has the cause, the games and the medians, or a dash."""
    show([duel()], [_review(result=result, turns=[], seen_at=None) for result in results])
    expected = [line for line in CAUSES.splitlines() if line] if has_causes else []
    assert _table(capsys.readouterr().out) == expected


def test_json_has_reviews_and_causes() -> None:
    """It has the values of the tables and all other fields."""
    found = msgspec.json.decode(as_json([_review()]))
    assert found["reviews"][0]["blunders"] == [3, 5] and found["reviews"][0]["turns"][2]["loss"] == 1.25
    assert found["causes"][0] | {"depth": 0} == {
        "cause": "wall-collision",
        "games": 1,
        "turns_lost": 4.0,
        "turns_seen": 3.0,
        "depth": 0,
    }
