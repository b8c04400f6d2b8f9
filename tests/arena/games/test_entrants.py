"""Entrants as the command line names them."""

import asyncio
from pathlib import Path

import pytest

from arena.games import boards
from arena.games.boards import position_at
from arena.games.entrants import (
    make_player,
    name_on_board,
    one_turn_opponents,
    parse_entrants,
    pool_names,
    prepare,
    write_weights,
)
from arena.players.grpc_target import GrpcPlayer
from arena.players.one_turn import ratings_of_game
from arena.players.player import Player
from arena.players.strategy import StrategyPlayer
from arena.players.url import UrlPlayer
from arena.pool._searches import SEARCHING_OPPONENTS
from arena.records import Entrant, MoveLimits
from searcher.strategies import FALLBACK
from searcher.tools.weights import WeightsFile, read_weights
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
        ("localhost:50051", NODES, GrpcPlayer),
        ("dns:///searchers:50051,strategy=paranoid/area,weight.area=2", NODES, GrpcPlayer),
        ("https://snake.example/path?key=1", TIME, UrlPlayer),
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
    texts = ["paranoid/area", "paranoid/length,name=x"] * 2 + ["paranoid/area"]
    names = [entrant.name for entrant in parse_entrants(texts, NODES)]
    assert names == ["paranoid/area", "x", "paranoid/area 2", "x 2", "paranoid/area 3"]
    taken = parse_entrants(["paranoid/area,name=a", "paranoid/area,name=a 2", "paranoid/area,name=a"], NODES)
    assert [entrant.name for entrant in taken] == ["a", "a 2", "a 3"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("paranoid/area,nodes=5", "paranoid/area nodes=5"),
        ("greedy,name=eater", "eater"),
        ("localhost:50051,strategy=auto", "localhost:50051 strategy=auto"),
        ("http://localhost:8000,name=mine", "mine"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("https://me:secret@[::1]:8000/secret/snake?key=secret,time=90", "https://[::1]:8000"),
    ],
)
def test_the_name_on_the_board(text: str, name: str) -> None:
    """Other snakes see the entrant's name, and of a URL only the part without secrets."""
    assert name_on_board(one(text, TIME)) == name


KINDS = (
    "neither a strategy such as paranoid/area or auto, nor a gRPC target such as .*, nor a URL such as http"
)
URL = "a Battlesnake at a URL"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("area", f"{KINDS}.*nor an opponent of the pool: {', '.join(pool_names())}$"),
        ("", "not of the form PLAYER,key=value"),
        ("paranoid/area,nodes", "not of the form PLAYER,key=value"),
        ("paranoid/area,nodes=5,nodes=6", "gives an option twice"),
        (
            "paranoid/area,knots=5",
            "no option 'knots'; valid: time, depth, nodes, threads, name, strategy, weight",
        ),
        ("paranoid/area,depth=0", "depth must be a whole number of 1 or more, not '0'"),
        ("paranoid/area,threads=1.5", "threads must be a whole number of 1 or more, not '1.5'"),
        ("paranoid/none", "no strategy 'paranoid/none'; .* like paranoid/area; valid searches"),
        ("paranoid/area,strategy=paranoid/area", "is already a strategy; strategy= is for gRPC targets"),
        ("paranoid/area,weight.fear=1", "no weight 'fear'; valid: area, hunger"),
        ("paranoid/area,weight.area=heavy", r"weight\.area must be a number, not 'heavy'"),
        ("paranoid/area,weight.area=11", r"weight area must be 0\.0 to 10\.0, not 11\.0"),
        ("auto,weight.area=1", "auto: auto has no weights: it chooses the evaluator"),
        ("localhost:50051,strategy=auto,weight.area=1", "auto has no weights: it chooses the evaluator"),
        ("localhost:50051,strategy=area", "strategy must be auto or like paranoid/area, not 'area'"),
        ("http://localhost:8000", f"{URL} is limited by time only: give --time"),
        ("http://localhost:8000,time=100,nodes=5", f"{URL} has no nodes; valid: time, name"),
        ("http://,time=100", "is not a URL such as http://localhost:8000"),
        ("https://[::1,time=100", "is not a URL such as http://localhost:8000"),
    ],
)
def test_invalid_texts_are_rejected(text: str, words: str) -> None:
    """The error names the problem and what is valid."""
    with pytest.raises(ValueError, match=words):
        one(text)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with weights of `area`."""
    file = tmp_path / "best.toml"
    write_weights(file, WeightsFile("area", {"area": 1.5, "hunger": 0.25}))
    return file


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("paranoid/area,weights={}", "paranoid/area,weight.area=1.5,weight.hunger=0.25"),
        ("paranoid/area,weight.hunger=1,weights={}", "paranoid/area,weight.area=1.5,weight.hunger=1"),
        (
            "localhost:5,strategy=paranoid/area,weights={}",
            "localhost:5,weight.area=1.5,weight.hunger=0.25,strategy=paranoid/area",
        ),
    ],
)
def test_the_weights_become_the_players(path: Path, text: str, player: str) -> None:
    """The player no longer depends on the file. A weight on the command line takes precedence."""
    assert one(text.format(path)).player == player


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("paranoid/length,weights={}", "has weights of area, not of length"),
        ("localhost:5,weights={}", "needs a strategy"),
        ("http://localhost:8000,weights={}", "needs a strategy"),
        ("paranoid/area,weights={}x", "best.tomlx is not a file of weights: can.t be read: No such file"),
    ],
)
def test_files_that_do_not_fit(path: Path, text: str, complaint: str) -> None:
    """The error names the problem."""
    with pytest.raises(ValueError, match=complaint):
        one(text.format(path))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("not toml", "is not a file of weights"),
        ("[weights]\narea = 1", "missing required field `evaluator`"),
        ('evaluator = "area"\nweight = 1\n[weights]', "unknown field `weight`"),
    ],
)
def test_other_files_are_rejected(tmp_path: Path, text: str, complaint: str) -> None:
    """The error names the file and the field."""
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"bad\.toml .*{complaint}"):
        read_weights(path)


@pytest.mark.parametrize("name", SEARCHING_OPPONENTS)
def test_a_search_is_an_entrant(name: str) -> None:
    """It has a valid strategy, which is not the default one, and the limits of the match."""
    entrant = one(name)
    assert entrant == Entrant(name, SEARCHING_OPPONENTS[name].text, NODES)
    assert entrant.player.partition(",")[0] != str(FALLBACK)
    assert type(player_of(entrant)) is StrategyPlayer


def test_options_of_a_search_take_precedence() -> None:
    """Limits, weights and the name may be given as for any strategy."""
    entrant = one("feeder,nodes=5000,weight.length=0.5,name=thin")
    assert entrant.limits == MoveLimits(nodes=5000)
    assert entrant.name == "thin"
    assert "weight.length=0.5" in entrant.player.split(",")
    assert one("feeder,nodes=5").name == "feeder nodes=5"
    assert one(entrant.player) == entrant


@pytest.mark.parametrize("option", ["nodes=5", "weights=f"])
def test_options_that_a_plain_opponent_has_no_use_for(option: str) -> None:
    """The error names the option and what is valid."""
    name = option.partition("=")[0]
    with pytest.raises(ValueError, match=rf"looks one turn ahead has no {name}; valid: name$"):
        one(f"greedy,{option}")


def test_code_is_compiled_in_advance() -> None:
    """Everything that a plain opponent's games need is in the cache before a worker plays."""
    prepare([one("hunter")], SMALL, 4)
    position = position_at(SMALL, boards.set_up_board(SMALL, 4, 0))
    ratings = ratings_of_game(position, one_turn_opponents()["hunter"].rate)
    assert {rating.shape.snakes for rating in ratings} == {2, 8}
    assert all(rating.is_cached() for rating in ratings)
