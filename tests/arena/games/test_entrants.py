"""Entrants by their texts: player, name, limits and weights, and the errors of invalid texts."""

import asyncio

import pytest

from arena.games import boards
from arena.games.entrants import make_player, parse_entrants, prepare
from arena.games.replay import position_at
from arena.players.grpc_target import GrpcPlayer
from arena.players.player import Player
from arena.players.strategy import StrategyPlayer, parts_of_game
from arena.players.url import UrlPlayer
from arena.records import Entrant, MoveLimits
from searcher.strategies import parse_strategy
from tests.arena.setups import SMALL

NODES = MoveLimits(nodes=100)
TIME = MoveLimits(milliseconds=200)


def one(text: str, limits: MoveLimits = NODES) -> Entrant:
    """The entrant of a text."""
    [entrant] = parse_entrants([text], limits)
    return entrant


def player_of(entrant: Entrant) -> Player:
    """A player of the entrant, closed again."""

    async def make() -> Player:
        player = make_player(entrant)
        await player.close()
        return player

    return asyncio.run(make())


@pytest.mark.parametrize(
    ("text", "limits", "kind"),
    [
        ("paranoid/area", NODES, StrategyPlayer),
        ("paranoid/area,weight.hunger=0.25", NODES, StrategyPlayer),
        ("localhost:50051", NODES, GrpcPlayer),
        ("unix:/run/searcher.sock", NODES, GrpcPlayer),
        ("dns:///searchers:50051,strategy=paranoid/area,weight.area=2", NODES, GrpcPlayer),
        ("http://localhost:8000", TIME, UrlPlayer),
        ("https://snake.example/path?key=1", TIME, UrlPlayer),
        ("http://[::1]:8000", TIME, UrlPlayer),
    ],
)
def test_kinds_of_players(text: str, limits: MoveLimits, kind: type[Player]) -> None:
    """The form of the text determines the kind of player, and the text is the name."""
    entrant = one(text, limits)
    assert entrant.name == text.replace(",", " ")
    assert entrant.limits == limits
    assert type(player_of(entrant)) is kind


@pytest.mark.parametrize(
    ("text", "limits", "expected"),
    [
        ("paranoid/area", MoveLimits(milliseconds=9, depth=3), MoveLimits(milliseconds=9, depth=3)),
        ("paranoid/area,nodes=50", NODES, MoveLimits(nodes=50)),
        ("paranoid/area,depth=3", NODES, MoveLimits(depth=3)),
        ("paranoid/area,depth=3,nodes=50", TIME, MoveLimits(depth=3, nodes=50)),
        ("paranoid/area,time=70", NODES, MoveLimits(milliseconds=70)),
        ("paranoid/area,threads=2", NODES, MoveLimits(nodes=100, threads=2)),
        ("paranoid/area,depth=3", MoveLimits(nodes=100, threads=4), MoveLimits(depth=3, threads=4)),
        ("http://localhost:8000,time=300", NODES, MoveLimits(milliseconds=300)),
    ],
)
def test_own_limits(text: str, limits: MoveLimits, expected: MoveLimits) -> None:
    """An entrant's own limits replace all of the match's limits, except threads."""
    assert one(text, limits).limits == expected


async def test_auto() -> None:
    """The searcher's default can be named, with limits of its own, here and behind a gRPC target."""
    entrant = one("auto,nodes=50,name=chooser")
    assert (entrant.name, entrant.limits) == ("chooser", MoveLimits(nodes=50))
    assert isinstance(make_player(entrant), StrategyPlayer)
    assert one("auto").name == "auto"
    assert one("localhost:50051,strategy=auto").player == "localhost:50051,strategy=auto"


def test_names() -> None:
    """A name that is taken gets a number, which makes it unique."""
    texts = [
        "paranoid/area",
        "paranoid/length,name=x",
        "paranoid/area",
        "paranoid/length,name=x",
        "paranoid/area",
    ]
    names = [entrant.name for entrant in parse_entrants(texts, NODES)]
    assert names == ["paranoid/area", "x", "paranoid/area 2", "x 2", "paranoid/area 3"]
    taken = parse_entrants(["paranoid/area,name=a", "paranoid/area,name=a 2", "paranoid/area,name=a"], NODES)
    assert [entrant.name for entrant in taken] == ["a", "a 2", "a 3"]


def test_an_entrant_can_be_parsed_again() -> None:
    """The text in a match's file makes the same entrant again."""
    entrant = one("paranoid/area,nodes=50,weight.hunger=0.25,name=x")
    assert one(entrant.player) == entrant


def test_only_strategies_are_compiled() -> None:
    """Everything for a strategy's games is compiled; a target and a URL are not even contacted."""
    prepare([one("paranoid/area"), one("127.0.0.1:9"), one("http://127.0.0.1:9", TIME)], SMALL, 2)
    position = position_at(SMALL, boards.set_up_board(SMALL, 2, 0))
    parts = parts_of_game(position, parse_strategy("paranoid/area"))
    assert parts
    assert all(part.is_cached() for part in parts)


KINDS = (
    "neither a strategy such as paranoid/area or auto, nor a gRPC target such as .*, nor a URL such as http"
)
URL = "a Battlesnake at a URL"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("area", KINDS),
        ("paranoid/area/more", KINDS),
        ("", "not of the form PLAYER,key=value"),
        (",nodes=5", "not of the form PLAYER,key=value"),
        ("paranoid/area,nodes", "not of the form PLAYER,key=value"),
        ("paranoid/area,nodes=", "not of the form PLAYER,key=value"),
        ("paranoid/area,=5", "not of the form PLAYER,key=value"),
        ("paranoid/area,nodes=5,nodes=6", "gives an option twice"),
        (
            "paranoid/area,knots=5",
            "no option 'knots'; valid: time, depth, nodes, threads, name, strategy, weight",
        ),
        ("paranoid/area,nodes=many", "nodes must be a whole number of 1 or more, not 'many'"),
        ("paranoid/area,depth=0", "depth must be a whole number of 1 or more, not '0'"),
        ("paranoid/area,time=-5", "time must be a whole number of 1 or more, not '-5'"),
        ("paranoid/area,threads=1.5", "threads must be a whole number of 1 or more, not '1.5'"),
        ("paranoid/none", "no strategy 'paranoid/none'; .* like paranoid/area; valid searches"),
        ("none/area", "no strategy 'none/area'"),
        ("paranoid/area,strategy=paranoid/area", "is already a strategy; strategy= is for gRPC targets"),
        ("paranoid/area,weight.fear=1", "no weight 'fear'; valid: area, hunger"),
        ("paranoid/area,weight.area=heavy", r"weight\.area must be a number, not 'heavy'"),
        ("paranoid/area,weight.area=11", r"weight area must be 0\.0 to 10\.0, not 11\.0"),
        ("auto/area", "no strategy 'auto/area'; a strategy is auto or written like paranoid/area"),
        ("auto,strategy=auto", "is already a strategy; strategy= is for gRPC targets"),
        ("auto,weight.area=1", "auto: auto has no weights: it chooses the evaluator"),
        ("auto,weights=none.toml", "auto: auto has no weights: it chooses the evaluator"),
        ("localhost:50051,strategy=auto,weight.area=1", "auto has no weights: it chooses the evaluator"),
        ("paranoid/area,weight.area=nan", r"weight area must be 0\.0 to 10\.0, not nan"),
        ("localhost:50051,weight.area=heavy", r"weight\.area must be a number, not 'heavy'"),
        ("localhost:50051,strategy=area", "strategy must be auto or like paranoid/area, not 'area'"),
        ("http://localhost:8000", f"{URL} is limited by time only: give --time"),
        ("http://localhost:8000,time=100,nodes=5", f"{URL} has no nodes; valid: time, name"),
        ("http://localhost:8000,time=100,strategy=a/b", f"{URL} has no strategy; valid: time, name"),
        ("http://localhost:8000,time=100,weight.x=1", rf"{URL} has no weight\.x; valid: time, name"),
        ("http://,time=100", "is not a URL such as http://localhost:8000"),
        ("http://localhost:80000,time=100", "is not a URL such as http://localhost:8000"),
        ("http://localhost:port,time=100", "is not a URL such as http://localhost:8000"),
        ("https://[::1,time=100", "is not a URL such as http://localhost:8000"),
    ],
)
def test_invalid_texts_are_rejected(text: str, words: str) -> None:
    """The error names the problem and what is valid."""
    with pytest.raises(ValueError, match=words):
        one(text)


def test_a_url_accepts_a_time_limit_only() -> None:
    """A match with time and depth can't limit a Battlesnake at a URL."""
    with pytest.raises(ValueError, match="limited by time only"):
        one("http://localhost:8000", MoveLimits(milliseconds=100, depth=3))
