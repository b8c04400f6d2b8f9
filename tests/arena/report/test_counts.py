"""The counts for tables and charts."""

from msgspec.structs import replace

from arena.records import Block, Match
from arena.report.findings import counts_of
from arena.report.wording import ALIVE
from tests.arena.report.random_games import DUEL, random_match, setup_of


def test_every_snake_has_one_end() -> None:
    """In each game that counts, each entrant's snake died of a cause or survived."""
    match = random_match(setup_of(DUEL), 4)
    counts = counts_of(match)
    assert [side.ends.total() for side in counts.sides] == [8, 8]
    assert len(counts.lengths) == 8
    alive = sum(death is None for block in match.blocks for game in block.games for death in game.deaths)
    assert sum(side.ends[ALIVE] for side in counts.sides) == alive


def test_void_games_count_for_moves_only() -> None:
    """A block with a void game has times, but no ends."""
    match = random_match(setup_of(DUEL), 1)
    first, second = match.blocks[0].games
    void = Match(match.setup, (Block(0, (replace(first, void="two never answered"), second), 1.0),))
    counts = counts_of(void)
    assert [side.ends.total() for side in counts.sides] == [0, 0]
    assert counts.lengths == []
    assert [len(side.milliseconds) for side in counts.sides] == [
        len(side.milliseconds) for side in counts_of(match).sides
    ]


def test_missing_depths_are_not_counted() -> None:
    """A decision without a depth is not a decision of depth 0."""
    match = random_match(setup_of(DUEL), 1)
    reported = [
        decision.depth
        for block in match.blocks
        for game in block.games
        for turn in game.turns
        for decision in turn.decisions
        if decision and decision.depth
    ]
    counts = counts_of(match)
    assert sum(side.depths.total() for side in counts.sides) == len(reported) > 0
    assert all(side.depths[0] == 0 for side in counts.sides)
