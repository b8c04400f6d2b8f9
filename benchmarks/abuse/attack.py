"""The attack, in a process of its own: python -m benchmarks.abuse.attack PLAN, with a plan as JSON."""

import asyncio
import resource
import sys
from pathlib import Path

import msgspec

from battlesnake_search.plan import Plan
from battlesnake_search.reader import decode
from battlesnake_search.translate import search_request
from benchmarks.abuse.connections import Closed, hold_half_open, send_slowly
from benchmarks.abuse.requests import post_bodies, send_messages

_BODIES = Path(__file__).parents[2] / "tests" / "fixtures" / "requests"


class Attack(msgspec.Struct, frozen=True):
    """Whom to attack, on loopback, and how often."""

    http: int
    """The gateway's port."""
    grpc: int
    """The searcher's port."""
    half_open: int
    slow: int
    bodies: int
    messages: int
    seed: int = 1


class Report(msgspec.Struct, frozen=True):
    """What came of it."""

    half_open: Closed
    slow: Closed
    bodies: dict[str, int]
    messages: dict[str, int]


async def run(attack: Attack) -> Report:
    """Do everything at once, and wait until it is over."""
    valid = [path.read_bytes() for path in sorted(_BODIES.glob("*-move-*.json"))]
    position = search_request(decode(valid[0]), Plan()).position
    host = "127.0.0.1"
    half_open, slow, bodies, messages = await asyncio.gather(
        hold_half_open([(host, attack.http), (host, attack.grpc)], attack.half_open),
        send_slowly((host, attack.http), attack.slow),
        post_bodies(f"http://{host}:{attack.http}", valid, attack.bodies, attack.seed),
        send_messages(f"{host}:{attack.grpc}", position, attack.messages, attack.seed),
    )
    return Report(half_open, slow, dict(bodies), dict(messages))


def main() -> None:
    """Run the plan of the command line and print the report as JSON."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    report = asyncio.run(run(msgspec.json.decode(sys.argv[1], type=Attack)))
    print(msgspec.json.encode(report).decode())


if __name__ == "__main__":
    main()
