"""The series of an arm's games."""

import msgspec
import pytest

from gateway.experiments.games import Game
from gateway.experiments.series import split
from gateway.game.values import StrategyRecord
from tests.gateway.store.outcome_samples import OUTCOME

GAME = msgspec.convert(msgspec.structs.asdict(OUTCOME), Game, from_attributes=True)


def _game(setup: str | None, **digests: str) -> Game:
    searched = {name: StrategyRecord({}, digest) for name, digest in digests.items()}
    return msgspec.structs.replace(GAME, setup=setup, searched=searched)


@pytest.mark.parametrize(
    ("games", "sizes"),
    [
        ([_game("s", a="1"), _game("s", a="1")], [2]),
        ([_game("s", a="1"), _game("t", a="1")], [1, 1]),
        ([_game("s", a="1"), _game("s", a="2"), _game("s", a="2")], [1, 2]),
        ([_game("s", a="1"), _game("s", a="2"), _game("s", a="1")], [1, 2]),
        ([_game("s", a="1"), _game("s", b="1"), _game("s", a="1", b="1")], [3]),
        ([_game("s", a="1", b="1"), _game("s", b="2"), _game("s", a="1", b="2")], [1, 2]),
        ([_game("s", auto="1", a="1"), _game("s", auto="2", b="1"), _game("s", auto="1", b="1")], [1, 2]),
        ([_game("s", a="1"), _game("s")], [2]),
        ([_game("s"), _game("s", a="1"), _game("s", a="2")], [2, 1]),
        ([_game(None), _game("s", a="1"), _game("s", a="1")], [1, 2]),
    ],
    ids=[
        "the same",
        "another setup",
        "another code",
        "changed back",
        "other conditions",
        "one of two strategies changed",
        "other rules of auto",
        "no move was searched",
        "the first game had no search",
        "older games",
    ],
)
def test_a_change_begins_a_series(games: list[Game], sizes: list[int]) -> None:
    """Games are of one series if they have the same setup, and played their common strategies alike."""
    assert [len(series.games) for series in split(games)] == sizes


def test_gateways_of_two_versions_have_two_series() -> None:
    """Games that end in turns at an old and at a new version are told apart."""
    games = [_game("s", a=str(number % 2)) for number in range(10)]
    old, new = split(games)
    assert [len(series.games) for series in (old, new)] == [5, 5] and new.games[-1] is games[-1]
    assert new.searched == {"a": StrategyRecord({}, "1")}
