"""Two entrants on the same recorded positions: what each of them would have played."""

import asyncio
import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

from arena.data.histories import History, HistoryTurn, histories_in
from arena.games.boards import default_map, move_word
from arena.games.entrants import STRATEGY, is_url, make_player, prepare, split_text, weights_in
from arena.matches.workers import LocalWorkers
from arena.players.player import FaultError, Player, Reported, View
from arena.players.request_bodies import Form, request_body
from arena.records import Entrant, Move, Rules
from searcher.engine.position import Position

if TYPE_CHECKING:
    from battlesnake_search.channels import CredentialFiles

Pair = tuple[Entrant, Entrant]

_TIMEOUT = 500
"""The timeout of a game in the address of an analysis, in milliseconds."""


class Answer(msgspec.Struct, frozen=True):
    """The answer of an entrant. The score is None if the entrant reports none."""

    move: Move
    score: float | None
    depth: int
    nodes: int
    milliseconds: float


class Comparison(msgspec.Struct, frozen=True):
    """The answers of both entrants for a snake in a recorded position."""

    game: str
    turn: int
    snake: str
    """The name of the snake."""
    played: Move | None
    """The recorded move, None if it is unknown."""
    answers: tuple[Answer, Answer]
    page: str
    """The address of the position's analysis, below the address of the console."""

    @property
    def agree(self) -> bool:
        """Whether both entrants chose the same move."""
        one, other = self.answers
        return one.move == other.move

    @property
    def distance(self) -> float:
        """The distance of the scores, 0 if a score is unknown."""
        one, other = (answer.score for answer in self.answers)
        return 0.0 if one is None or other is None else abs(one - other)


def compare(
    files: Sequence[Path], entrants: Pair, snakes: frozenset[str], workers: LocalWorkers
) -> Iterator[list[Comparison]]:
    """Yield the comparisons of each game in the files, in any order. `snakes` are names, empty for all.

    Raises BadDataError for a file without games, OSError if a file can't be read, and ValueError if an
    entrant can't search or no game has a snake of these names.
    """
    for entrant in entrants:
        if is_url(entrant):
            raise ValueError(
                f"{entrant.player!r} is a Battlesnake at a URL, and plays whole games only: "
                "give a strategy such as paranoid/area, or a gRPC target such as localhost:50051"
            )
    known = {name for game in games_in(tuple(files)) for name in game.players.values()}
    if unknown := snakes - known:
        raise ValueError(f"no snake {sorted(unknown)[0]!r} in the games; valid: {', '.join(sorted(known))}")
    boards = {_board(turn.position) for game in games_in(tuple(files)) for turn in game.turns[:1]}
    for rules, count in boards:
        prepare(entrants, rules, count)
    job = partial(compare_game, tuple(files), entrants, snakes, credentials=workers.credentials)
    yield from workers.run(job, range(len(games_in(tuple(files)))))


@cache
def games_in(files: tuple[Path, ...]) -> tuple[History, ...]:
    """Return the games of all files, once for each process. Raises as `histories_in`."""
    return tuple(game for file in files for game in histories_in(file))


def compare_game(
    files: tuple[Path, ...],
    entrants: Pair,
    snakes: frozenset[str],
    number: int,
    credentials: "CredentialFiles | None" = None,
) -> list[Comparison]:
    """Return the comparisons of a game, in the order of its turns. Raises ValueError as `compare`."""
    return asyncio.run(_compare_game(games_in(files)[number], entrants, snakes, credentials))


async def _compare_game(
    game: History,
    entrants: Pair,
    snakes: frozenset[str],
    credentials: "CredentialFiles | None",
) -> list[Comparison]:
    players = [make_player(entrant, credentials) for entrant in entrants]
    found: list[Comparison] = []
    try:
        for turn in game.turns:
            for index, snake in enumerate(turn.position.snakes):
                name = game.players[snake.id]
                if snakes and name not in snakes:
                    continue
                view = _view(game, turn.position, index)
                if not found:
                    await asyncio.gather(*(player.start(view) for player in players))
                one, other = [
                    await _answer(player, view, entrant)
                    for player, entrant in zip(players, entrants, strict=True)
                ]
                found.append(
                    Comparison(
                        game=game.game,
                        turn=turn.position.turn,
                        snake=name,
                        played=_played(turn, snake.id),
                        answers=(one, other),
                        page=_page(view, entrants),
                    )
                )
    finally:
        await asyncio.gather(*(player.close() for player in players))
    return found


async def _answer(player: Player, view: View, entrant: Entrant) -> Answer:
    begun = perf_counter()
    try:
        chosen = await player.choose(view)
    except FaultError as error:
        place = f"turn {view.position.turn} of the game {view.game_id}"
        raise ValueError(f"entrant {entrant.name} has no move for {place}: {error}") from error
    spent = round((perf_counter() - begun) * 1000, 2)
    return Answer(move_word(chosen.move), chosen.score, chosen.depth, chosen.nodes, spent)


def _played(turn: HistoryTurn, snake: str) -> Move | None:
    direction = turn.moves.get(snake)
    return None if direction is None else move_word(direction)


def _view(game: History, position: Position, index: int) -> View:
    snakes = tuple(Reported(snake, game.players[snake.id]) for snake in position.snakes)
    return View(
        game_id=game.game,
        rules=_board(position)[0],
        position=replace(position, you=index),
        you=snakes[index],
        snakes=snakes,
        seed=zlib.crc32(f"{game.game} {snakes[index].snake.id} {position.turn}".encode()),
    )


def _board(position: Position) -> tuple[Rules, int]:
    """Return the rules of a recorded position, and its number of snakes. Searches need nothing else."""
    ruleset = position.ruleset
    rules = Rules(
        ruleset=ruleset.name,
        map="royale" if ruleset.shrink_every else default_map("standard"),
        width=position.width,
        height=position.height,
        minimum_food=1,
        food_spawn_chance=15,
        hazard_damage=ruleset.hazard_damage,
        shrink_every=ruleset.shrink_every or 1,
        max_turns=1,
    )
    return rules, len(position.snakes)


def _page(view: View, entrants: Pair) -> str:
    """Return the address of the console's analysis. It has the compressed /move body, and both strategies."""
    body = msgspec.json.encode(request_body(Form.OFFICIAL, view, _TIMEOUT))
    compressor = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = urlsafe_b64encode(compressor.compress(body) + compressor.flush()).decode().rstrip("=")
    search = {"compare": True, "strategies": [_strategy(entrant) for entrant in entrants]}
    return f"game.html#{urlencode({'position': packed, 'search': json.dumps(search)})}"


def _strategy(entrant: Entrant) -> dict[str, object] | None:
    """Return an entrant's strategy as the console's page has it, None if the entrant has no strategy."""
    player, options = split_text(entrant.player)
    strategy = player if STRATEGY.fullmatch(player) else options.get("strategy")
    return None if strategy is None else {"strategy": strategy, "weights": weights_in(options)}
