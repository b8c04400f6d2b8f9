"""Searches in this process: they repeat at fixed nodes, keep their limits, and tell what they found."""

from dataclasses import replace

import pytest

from arena.players.player import ChosenMove, FaultError
from arena.players.strategy import StrategyPlayer, parts_of_game
from arena.records.model import Limits
from searcher.engine.position import Direction, Position, Ruleset, Snake
from searcher.interface import Strategy
from searcher.strategies import parse_strategy
from tests.arena.players.recorded_views import REQUESTS, recorded_view, view_of

STRATEGY = parse_strategy("paranoid/area")
NODES = Limits(nodes=3000)
NAMES = sorted(path.stem for path in REQUESTS.glob("*-move-*.json"))


def player(limits: Limits = NODES, side: str = "one", strategy: Strategy = STRATEGY) -> StrategyPlayer:
    """A player of the default strategy unless told."""
    return StrategyPlayer(strategy, limits, side)


async def test_a_search_repeats_at_fixed_nodes() -> None:
    """The same seed gives the same thought, by a player that is new and by one that has thought before."""
    first = await player(side="repeats").choose(recorded_view())
    used = player(side="repeats too")
    for name in NAMES:
        await used.choose(recorded_view(name))
    assert await used.choose(recorded_view()) == first


async def test_another_seed_may_play_otherwise() -> None:
    """Of equal moves each is played by some seed: else an entrant's games against itself were all alike."""
    centre = Position(7, 7, (Snake("me", 100, ((3, 3),) * 3),), ruleset=Ruleset("solo"))
    views = [view_of(centre, seed) for seed in range(1, 40)]
    assert {(await player(Limits(depth=1)).choose(view)).move for view in views} == set(Direction)


@pytest.mark.parametrize("name", NAMES)
async def test_every_recorded_position_gets_a_thought(name: str) -> None:
    """A move, how deep it looked, how many nodes, a score, and a line with a letter for each snake."""
    view = recorded_view(name)
    thought = await player().choose(view)
    assert thought.score is not None
    assert -1 <= thought.score <= 1
    assert thought.nodes >= thought.depth >= 1
    assert thought.pv
    for joint in thought.pv:
        assert len(joint) == len(view.position.snakes)
        assert set(joint) <= set("udlr-")
    assert thought.pv[0][view.position.you] == thought.move.name[0].lower()


async def test_nodes_are_limited() -> None:
    """More of them are looked at with a higher limit, and no more than it says."""
    few = await player(Limits(nodes=200)).choose(recorded_view())
    many = await player(Limits(nodes=20_000)).choose(recorded_view())
    assert few.nodes <= 200 < many.nodes <= 20_000
    assert few.depth < many.depth


async def test_depth_is_limited() -> None:
    """No deeper than told."""
    thought = await player(Limits(depth=2)).choose(recorded_view())
    assert thought.depth == 2


async def test_whichever_limit_comes_first() -> None:
    """Two limits together stop at the nearer one."""
    assert (await player(Limits(depth=1, nodes=20_000)).choose(recorded_view())).depth == 1
    assert (await player(Limits(depth=50, nodes=500)).choose(recorded_view())).nodes <= 500


async def test_time_is_limited() -> None:
    """A time alone ends a search that nothing else would; it has looked some turns ahead by then."""
    thought = await player(Limits(milliseconds=30)).choose(recorded_view())
    assert thought.depth > 1
    assert thought.nodes > 500


async def test_threads_share_the_work() -> None:
    """With two threads there is still one thought."""
    thought = await player(Limits(nodes=2000, threads=2)).choose(recorded_view())
    assert isinstance(thought, ChosenMove)
    assert thought.nodes > 0


async def test_starting_loads_all_that_a_game_needs() -> None:
    """The code for every number of snakes that may be left."""
    view = recorded_view()
    await player().start(view)
    parts = parts_of_game(view.position, STRATEGY)
    sizes = {part.shape.snakes for part in parts}
    assert max(sizes) >= len(view.position.snakes)
    assert len(parts) == len(set(parts))
    assert all(part.is_cached() for part in parts)


async def test_a_search_that_breaks_down_is_a_fault() -> None:
    """Its name is crashed, its reason the error's; the player goes on."""
    broken = player(strategy=replace(STRATEGY, weights={}))
    with pytest.raises(FaultError, match=r"^KeyError: 'area'$") as caught:
        await broken.choose(recorded_view())
    assert caught.value.fault == "crashed"
    await player().choose(recorded_view())


async def test_ends_are_nothing_to_it() -> None:
    """Its memory stays: after the end of one game it thinks as before."""
    one = player()
    before = await one.choose(recorded_view())
    await one.end(recorded_view())
    await one.close()
    assert await one.choose(recorded_view()) == before
