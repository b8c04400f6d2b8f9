"""A Battlesnake that answers the engine itself and leaves the search to a searcher."""

import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import grpc
from battlesnake.search.v1 import search_pb2 as pb
from battlesnake.search.v1.search_pb2_grpc import SearchServiceStub
from google.protobuf.json_format import ParseDict

MARGIN = 0.1
"""Seconds of a move's time that the network takes."""

RULESETS = ("standard", "solo", "royale", "constrictor", "wrapped", "wrapped_constrictor")
STEPS = {
    pb.DIRECTION_UP: (0, 1),
    pb.DIRECTION_DOWN: (0, -1),
    pb.DIRECTION_LEFT: (-1, 0),
    pb.DIRECTION_RIGHT: (1, 0),
}
LOOKS = {"apiversion": "1", "color": "#2f6f4e", "head": "safe", "tail": "bolt"}
TOKEN = os.environ.get("SEARCHER_TOKEN")
METADATA = [("authorization", f"Bearer {TOKEN}")] if TOKEN else []

# With the usual pauses, a searcher that was away is found minutes later. The proxy of https_proxy would be
# used even for a searcher on this machine.
OPTIONS = [("grpc.max_reconnect_backoff_ms", 1000), ("grpc.enable_http_proxy", 0)]
channel = grpc.insecure_channel(os.environ.get("SEARCHER", "localhost:50051"), OPTIONS)
channel.subscribe(lambda _: None, try_to_connect=True)  # now, and not with the first move
searcher = SearchServiceStub(channel)


def translate(body: dict[str, Any]) -> pb.Position:
    """Return the position of a /move body; its fields that the contract does not have are left out."""
    game, ruleset = body["game"], body["game"]["ruleset"]
    settings = ruleset.get("settings", {})
    # The official engine plays any other name as standard.
    name = ruleset["name"] if ruleset["name"] in RULESETS else "standard"
    shrink = settings.get("royale", {}).get("shrinkEveryNTurns", 0)
    position = {
        "gameId": game["id"],
        "turn": body["turn"],
        "youId": body["you"]["id"],
        "ruleset": {
            "name": name,
            "map": game.get("map", ""),
            "settings": {**settings, "shrinkEveryNTurns": shrink},
        },
        "board": body["board"],  # which has the same names in both
    }
    return ParseDict(position, pb.Position(), ignore_unknown_fields=True)


def search(position: pb.Position, seconds: float) -> pb.SearchResult | None:
    """Return the best result that arrives in the time left, None if none does."""
    best = None
    try:
        request = pb.StreamSearchRequest(position=position)
        for response in searcher.StreamSearch(
            request, timeout=seconds, metadata=METADATA, wait_for_ready=True
        ):
            best = response.result
    except grpc.RpcError as error:
        print(f"search: {error.code().name}: {error.details()}", file=sys.stderr)
    return best


def fallback(position: pb.Position) -> pb.Direction:
    """Return a move that stays on the board and hits no body; up if there is none."""
    board, wrapped = position.board, position.ruleset.name.startswith("wrapped")
    head = next(snake.body[0] for snake in board.snakes if snake.id == position.you_id)
    # The tails move on.
    taken = {(part.x, part.y) for snake in board.snakes for part in snake.body[:-1]}
    for direction, (dx, dy) in STEPS.items():
        x, y = head.x + dx, head.y + dy
        if wrapped:
            x, y = x % board.width, y % board.height
        if 0 <= x < board.width and 0 <= y < board.height and (x, y) not in taken:
            return direction
    return pb.DIRECTION_UP


def move(body: dict[str, Any], deadline: float) -> str:
    """Return the move for a /move body, and log where it came from."""
    position = translate(body)
    result = search(position, deadline - time.monotonic())
    direction = result.move if result else fallback(position)
    name: str = pb.Direction.Name(direction).removeprefix("DIRECTION_").lower()
    source = f"search, depth {result.depth}" if result else "fallback"
    print(f"move: {name} ({source})", file=sys.stderr)
    return name


class Handler(BaseHTTPRequestHandler):
    """The API of a Battlesnake."""

    protocol_version = "HTTP/1.1"  # keeps connections open
    wbufsize = -1  # sends an answer in one piece

    def do_GET(self) -> None:
        """Answer with the looks of the snake."""
        self.answer(200 if self.path == "/" else 404, LOOKS)

    def do_POST(self) -> None:
        """Answer to /start, /move or /end."""
        start = time.monotonic()
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path != "/move":
            return self.answer(200 if self.path in ("/start", "/end") else 404, {})
        try:
            body = json.loads(content)
            self.answer(200, {"move": move(body, start + body["game"]["timeout"] / 1000 - MARGIN)})
        except (ValueError, KeyError) as error:
            self.answer(400, {"error": str(error)})

    def answer(self, status: int, value: dict[str, str]) -> None:
        """Send an answer."""
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Log nothing but moves."""


if __name__ == "__main__":
    ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Handler).serve_forever()
