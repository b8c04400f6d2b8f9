"""The names of the pool as entrants."""

import asyncio

import pytest

from arena.games import boards
from arena.games.entrants import make_player, one_turn_opponents, parse_entrants, pool_names, prepare
from arena.games.replay import position_at
from arena.players.one_turn import OneTurnPlayer, ratings_of_game
from arena.players.strategy import StrategyPlayer
from arena.pool import SEARCHES
from arena.records import Entrant, MoveLimits
from searcher.strategies import FALLBACK
from tests.arena.setups import SMALL

NODES = MoveLimits(nodes=100)


def one(text: str) -> Entrant:
    """The entrant of a text."""
    [entrant] = parse_entrants([text], NODES)
    return entrant


async def kind_of(entrant: Entrant) -> type:
    """The kind of player that an entrant has."""
    player = make_player(entrant)
    await player.close()
    return type(player)


def test_the_pool() -> None:
    """The pool has plain opponents and strong ones, each with a name of its own."""
    plain = {"coward", "greedy", "hunter", "random", "spacious", "tail_chaser", "wall_hugger"}
    strong = {"feeder", "gambler", "glutton", "landlord", "maxn", "measurer", "replier", "slitherer"}
    assert plain <= one_turn_opponents().keys()
    assert strong <= SEARCHES.keys()
    assert len(set(pool_names())) == len(pool_names()) == len(one_turn_opponents()) + len(SEARCHES)


@pytest.mark.parametrize("name", one_turn_opponents())
def test_a_plain_opponent_is_an_entrant(name: str) -> None:
    """It has no limits, since it does not search."""
    assert one(name) == Entrant(name, name, MoveLimits())
    assert asyncio.run(kind_of(one(name))) is OneTurnPlayer


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_is_an_entrant(name: str) -> None:
    """It has a valid strategy, which is not the default one, and the limits of the match."""
    entrant = one(name)
    assert entrant == Entrant(name, SEARCHES[name].text, NODES)
    assert entrant.player.partition(",")[0] != str(FALLBACK)
    assert asyncio.run(kind_of(entrant)) is StrategyPlayer


def test_options_of_a_search_take_precedence() -> None:
    """Limits, weights and the name may be given as for any strategy."""
    entrant = one("feeder,nodes=5000,weight.length=0.5,name=thin")
    assert entrant.limits == MoveLimits(nodes=5000)
    assert entrant.name == "thin"
    assert "weight.length=0.5" in entrant.player.split(",")
    assert one("feeder,nodes=5").name == "feeder nodes=5"
    assert one(entrant.player) == entrant


def test_names_of_plain_opponents() -> None:
    """A plain opponent may have another name, and its text makes it again."""
    entrant = one("greedy,name=eater")
    assert (entrant.name, entrant.limits) == ("eater", MoveLimits())
    assert one(entrant.player) == entrant
    assert [each.name for each in parse_entrants(["greedy", "greedy"], NODES)] == ["greedy", "greedy 2"]


@pytest.mark.parametrize(
    "option", ["nodes=5", "time=5", "threads=2", "weight.area=1", "weights=f", "strategy=a/b", "knots=1"]
)
def test_options_that_a_plain_opponent_has_no_use_for(option: str) -> None:
    """The error names the option and what is valid."""
    name = option.partition("=")[0]
    with pytest.raises(ValueError, match=rf"looks one turn ahead has no {name}; valid: name$"):
        one(f"greedy,{option}")


def test_an_invalid_option_of_a_search() -> None:
    """The errors are those of its strategy."""
    with pytest.raises(ValueError, match="no weight 'greed'; valid: area, share, length"):
        one("feeder,weight.greed=1")
    with pytest.raises(ValueError, match="is already a strategy"):
        one("feeder,strategy=paranoid/area")


def test_an_unknown_name() -> None:
    """The error lists the names of the pool."""
    with pytest.raises(ValueError, match=rf"nor an opponent of the pool: {', '.join(pool_names())}$"):
        one("gready")


def test_code_is_compiled_in_advance() -> None:
    """Everything that a plain opponent's games need is in the cache before a worker plays."""
    prepare([one("hunter")], SMALL, 4)
    position = position_at(SMALL, boards.set_up_board(SMALL, 4, 0))
    ratings = ratings_of_game(position, one_turn_opponents()["hunter"].rate)
    assert {rating.shape.snakes for rating in ratings} == {2, 4}
    assert all(rating.is_cached() for rating in ratings)
