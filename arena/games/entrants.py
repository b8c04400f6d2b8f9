"""Entrants as the command line names them: the player, then its own limits and weights.

paranoid/area                             a strategy, run in this process
auto                                      the searcher's default: in each position the strategy for it
paranoid/length,nodes=10000,name=weak     with limits of its own
paranoid/area,weight.hunger=0.25          with a weight of its own
paranoid/area,weights=FILE                with the weights in a file, as `arena tune` writes it
greedy                                    an opponent of the pool that looks one turn ahead
feeder,nodes=5000                         a search of the pool
unix:/run/searcher.sock,strategy=paranoid/area    a searcher at a gRPC target
grpcs://searcher.example.com:443          a searcher behind TLS
http://localhost:8000                     any Battlesnake
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from arena.games import boards
from arena.games.entrant_options import (
    STRATEGY,
    WEIGHTLESS,
    check_known,
    choice_in,
    limits_in,
    split_text,
    weights_in,
    with_weights_of_file,
)
from arena.games.pool import one_turn_opponents, pool_names
from arena.games.replay import position_at
from arena.players.one_turn import OneTurnPlayer, ratings_of_game
from arena.players.player import Player
from arena.players.strategy import StrategyPlayer, parts_of_game
from arena.pool import SEARCHES
from arena.records.model import Entrant, Limits, Rules
from battlesnake_search.contract import search_pb2 as pb
from searcher.engine.position import Position
from searcher.precompile.code import CodeUnit, turn_code_for
from searcher.precompile.prepare import prepare_code
from searcher.strategies import AUTO_NAME

if TYPE_CHECKING:
    from battlesnake_search.channels import CredentialFiles

_URL = re.compile(r"https?://.*")


def parse_entrants(texts: Sequence[str], limits: Limits) -> tuple[Entrant, ...]:
    """Return the entrants; those whose texts have no limits get these.

    An entrant whose name is taken by an earlier one gets a number at the end. Raises ValueError, naming what
    is valid, for an invalid text.
    """
    entrants: list[Entrant] = []
    for text in texts:
        entrant = _entrant(text, limits)
        taken = {other.name for other in entrants}
        names = [entrant.name, *(f"{entrant.name} {number}" for number in range(2, len(texts) + 2))]
        name = next(name for name in names if name not in taken)
        entrants.append(Entrant(name, entrant.player, entrant.limits))
    return tuple(entrants)


def make_player(entrant: Entrant, credentials: "CredentialFiles | None" = None) -> Player:
    """Return a player for an entrant, to be used in the running event loop.

    A searcher at a gRPC target gets the credentials. Raises OSError or ValueError if they are invalid.
    """
    player, options = split_text(entrant.player)
    if player in one_turn_opponents():
        return OneTurnPlayer(one_turn_opponents()[player].rate)
    if _URL.fullmatch(player):
        from arena.players.url import UrlPlayer

        return UrlPlayer(player, entrant.name, entrant.limits)
    if STRATEGY.fullmatch(player):
        return StrategyPlayer(choice_in(player, options), entrant.limits, entrant.name)
    # Matches without a gRPC target need none of this.
    from arena.players.grpc_target import GrpcPlayer
    from battlesnake_search.channels import Credentials

    search, _, evaluator = options.get("strategy", "").partition("/")
    message = pb.Strategy(search=search, evaluator=evaluator, weights=weights_in(options))
    return GrpcPlayer(player, message, entrant.limits, Credentials(credentials))


def evaluators_of(entrants: Iterable[Entrant]) -> list[str]:
    """Return the names of the evaluators that entrants name, whether this process has them or not."""
    players = (split_text(entrant.player)[0] for entrant in entrants)
    return sorted({player.partition("/")[2] for player in players if STRATEGY.fullmatch(player)} - {""})


async def check_reachable(entrants: Iterable[Entrant], credentials: "CredentialFiles | None" = None) -> None:
    """Raise ConnectionError, with the entrant and the reason, if an entrant does not answer from here.

    Raises OSError or ValueError if its credentials are invalid.
    """
    for entrant in entrants:
        player = make_player(entrant, credentials)
        try:
            await player.check_reachable()
        except ConnectionError as error:
            raise ConnectionError(f"entrant {entrant.name}: {error}") from None
        finally:
            await player.close()


def prepare(entrants: Iterable[Entrant], rules: Rules, snakes: int) -> None:
    """Compile what games between entrants need, with progress, so that no worker has to.

    Raises ValueError if an evaluator can't play.
    """
    position = position_at(rules, boards.set_up_board(rules, snakes, 0))
    codes = [code for entrant in entrants for code in _codes(entrant, position)]
    prepare_code([*codes, turn_code_for(position)])


def _codes(entrant: Entrant, position: Position) -> Sequence[CodeUnit]:
    """Return the compiled code that an entrant runs in this process, in a game from this position on."""
    player, options = split_text(entrant.player)
    if player in one_turn_opponents():
        return ratings_of_game(position, one_turn_opponents()[player].rate)
    return parts_of_game(position, choice_in(player, options)) if STRATEGY.fullmatch(player) else ()


def _entrant(text: str, limits: Limits) -> Entrant:
    name, given = split_text(text)
    if name in one_turn_opponents():
        return _one_turn(text, name, given)
    player, options = _expanded(name, given)
    check_known(text, options)
    chosen = limits_in(text, options, limits)
    _check_kind(text, player, options, chosen)
    described = ",".join([player, *(f"{key}={value}" for key, value in options.items())])
    return Entrant(options.get("name", _default_name(text)), described, chosen)


def _one_turn(text: str, player: str, options: Mapping[str, str]) -> Entrant:
    """Return an opponent of the pool that looks one turn ahead: it does not search, so nothing limits it."""
    if unknown := sorted(options.keys() - {"name"}):
        raise ValueError(f"{text!r}: an opponent that looks one turn ahead has no {unknown[0]}; valid: name")
    return Entrant(options.get("name", player), text, Limits())


def _expanded(name: str, given: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Replace a search of the pool by its player and options, and a weights file by its weights.

    The given options take precedence.
    """
    player, preset = split_text(SEARCHES[name].text) if name in SEARCHES else (name, {})
    return player, preset | with_weights_of_file(player, given)


def _check_kind(text: str, player: str, options: Mapping[str, str], limits: Limits) -> None:
    if _URL.fullmatch(player):
        _check_url(text, player, options, limits)
    elif STRATEGY.fullmatch(player):
        choice_in(player, options)
    elif ":" in player:
        _check_target(text, options)
    else:
        raise ValueError(
            f"{text!r} is neither a strategy such as paranoid/area or {AUTO_NAME}, nor a gRPC target such as "
            "localhost:50051 or unix:/path, nor a URL such as http://localhost:8000, "
            f"nor an opponent of the pool: {', '.join(pool_names())}"
        )


def _check_url(text: str, player: str, options: Mapping[str, str], limits: Limits) -> None:
    try:
        valid = urlsplit(player).port != 0 and bool(urlsplit(player).hostname)
    except ValueError:
        valid = False
    if not valid:
        raise ValueError(f"{text!r} is not a URL such as http://localhost:8000")
    if unknown := sorted(options.keys() - {"time", "name"}):
        raise ValueError(f"{text!r}: a Battlesnake at a URL has no {unknown[0]}; valid: time, name")
    if limits.milliseconds is None or limits.depth or limits.nodes:
        raise ValueError(
            f"{text!r}: a Battlesnake at a URL is limited by time only: "
            "give --time, or after a comma time= and milliseconds"
        )


def _check_target(text: str, options: Mapping[str, str]) -> None:
    weights, strategy = weights_in(options), options.get("strategy")
    if strategy is not None and not STRATEGY.fullmatch(strategy):
        raise ValueError(f"{text!r}: strategy must be {AUTO_NAME} or like paranoid/area, not {strategy!r}")
    if strategy == AUTO_NAME and weights:
        raise ValueError(f"{text!r}: {WEIGHTLESS}")


def _default_name(text: str) -> str:
    """Return the text as a name, without commas, which would look like separators of options."""
    return text.replace(",", " ")
