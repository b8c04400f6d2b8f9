"""Searches in this process repeat at fixed nodes, keep their limits, and report their results."""

from dataclasses import replace

import pytest

from arena.players.player import FaultError
from arena.players.strategy import StrategyPlayer, parts_of_game
from arena.records import MoveLimits
from searcher.engine.position import Direction, Position, Ruleset, Snake
from searcher.interface import StrategyChoice
from searcher.strategies import Auto, Rule, parse_strategy
from tests.arena.players.recorded_views import REQUESTS, recorded_view, view_of
from tests.searcher.own_rules import position_with

STRATEGY = parse_strategy("paranoid/area")
NODES = MoveLimits(nodes=3000)
AUTO = Auto(
    (
        Rule("paranoid", "solo", snakes=(1, 1)),
        Rule("paranoid", "length", snakes=(2, 2)),
        Rule("paranoid", "balanced"),
    )
)
NAMES = sorted(path.stem for path in REQUESTS.glob("*-move-*.json"))


def player(
    limits: MoveLimits = NODES, side: str = "one", choice: StrategyChoice = STRATEGY
) -> StrategyPlayer:
    """A player with the test's strategy and limits unless given others."""
    return StrategyPlayer(choice, limits, side)


async def test_a_search_repeats_at_fixed_nodes() -> None:
    """The same seed gives the same move and report, by a new player and by a used one."""
    first = await player(side="repeats").choose(recorded_view())
    used = player(side="repeats too")
    for name in NAMES:
        await used.choose(recorded_view(name))
    assert await used.choose(recorded_view()) == first


async def test_another_seed_may_choose_another_move() -> None:
    """Each of several equal moves is played for some seed, so an entrant's games against itself differ."""
    centre = Position(7, 7, (Snake("me", 100, ((3, 3),) * 3),), ruleset=Ruleset("solo"))
    views = [view_of(centre, seed) for seed in range(1, 40)]
    assert {(await player(MoveLimits(depth=1)).choose(view)).move for view in views} == set(Direction)


async def test_time_is_limited() -> None:
    """A time limit alone ends a search, which is some turns deep by that time."""
    chosen = await player(MoveLimits(milliseconds=30)).choose(recorded_view())
    assert chosen.depth > 1
    assert chosen.nodes > 500


@pytest.mark.parametrize("snakes", [1, 2, 3])
async def test_auto_plays_the_strategy_for_the_position(snakes: int) -> None:
    """Its moves and reports are those of the strategy that its rules name, so they repeat at fixed nodes."""
    view = view_of(position_with(snakes), seed=5)
    strategy = AUTO.for_position(view.position)
    expected = await player(side="named", choice=strategy).choose(view)
    assert await player(side="auto", choice=AUTO).choose(view) == expected
    assert await player(side="auto", choice=AUTO).choose(view) == expected


async def test_starting_loads_all_that_auto_may_choose_in_a_game() -> None:
    """A game of three may become a duel and, by the rules of solo, go on with one snake."""
    view = view_of(position_with(3))
    parts = parts_of_game(view.position, AUTO)
    assert [part.evaluator for part in parts] == ["solo", "length", "balanced"]
    await player(choice=AUTO).start(view)
    assert all(part.is_cached() for part in parts)


async def test_a_failed_search_is_a_fault() -> None:
    """The fault is a crash with the error's reason, and the player continues."""
    broken = player(choice=replace(STRATEGY, weights={}))
    with pytest.raises(FaultError, match=r"^KeyError: 'area'$") as caught:
        await broken.choose(recorded_view())
    assert caught.value.fault == "crashed"
    await player().choose(recorded_view())
