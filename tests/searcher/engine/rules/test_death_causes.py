"""Causes of death that no recorded turn shows."""

from battlesnake_search.contract.deaths import Cause
from searcher.engine.position import Position
from searcher.engine.rules.death_causes import Death, deaths
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import Packed
from tests.searcher.engine.positions import snake


def test_a_death_without_a_known_cause_is_hunger() -> None:
    """A stage of the rules that takes all health, and that no other cause describes, starves a snake."""
    before = pack(Position(7, 7, (snake("a", "33 32 31"), snake("b", "55 54 53"))))
    after = Packed(before.shape, before.game, before.board.copy())
    after.board["length"][0, 0] = after.board["health"][0, 0] = 0
    assert deaths(before, after) == {0: Death(Cause.HUNGER, None)}
