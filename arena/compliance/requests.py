"""The requests of the official engine in recorded games, one game for each ruleset and some maps.

`bodies.jsonl` has one request per line, in the order in which the engine sent them.
"""

from copy import deepcopy
from importlib import resources
from typing import Any
from uuid import uuid4

import msgspec

from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX

Body = dict[str, Any]


class Request(msgspec.Struct, frozen=True):
    """A POST request of an engine.

    `game` names the recorded game, `phase` the moment in it: start, move-first (the same position, still
    turn 0), move-early, move-mid, move-late, move-alone (after the game's decision), end, and
    end-eliminated (`you` is dead).
    """

    game: str
    phase: str
    body: Body

    @property
    def webhook(self) -> str:
        """The webhook: start, move or end."""
        return self.phase.partition("-")[0]

    def __str__(self) -> str:
        return f"{self.phase} of {self.game}, turn {self.body['turn']}"


def recorded_games(timeout: int) -> dict[str, list[Request]]:
    """Return the requests of all games by the game's name, with new game ids and this timeout in ms.

    The ids have the mark of test games, so that a gateway can leave the games out of its statistics.
    """
    lines = resources.files(__package__).joinpath("bodies.jsonl").read_bytes()
    games: dict[str, list[Request]] = {}
    for request in msgspec.json.Decoder(Request).decode_lines(lines):
        games.setdefault(request.game, []).append(request)
        if request.phase == "start":
            first = Request(request.game, "move-first", deepcopy(request.body))
            games[request.game].append(first)
    for requests in games.values():
        game_id = f"{TEST_GAME_PREFIX}{uuid4()}"
        for request in requests:
            request.body["game"] |= {"id": game_id, "timeout": timeout}
    return games


def recorded_game(name: str, timeout: int) -> dict[str, Request]:
    """Return the requests of one game by their phase, with a new game id and this timeout in ms."""
    return {request.phase: request for request in recorded_games(timeout)[name]}
