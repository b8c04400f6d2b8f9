"""Certificates and tokens replaced while calls go on: python -m benchmarks.tls.rotation.

A gateway's client calls a real searcher with mutual TLS and a token. Meanwhile the files of both are replaced
again and again: the certificates of each, the authority that issues them, and the token. The exit status is 1
if a call brings no result, or if a replacement is not taken up.
"""

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from time import monotonic

import click
import grpc
import trustme
from rich.console import Console
from rich.table import Table

from battlesnake_search.channels import TLS, CredentialFiles, Credentials
from battlesnake_search.common.cli import CONTEXT
from battlesnake_search.common.logs import EventDict
from battlesnake_search.plan import Limits, Plan
from battlesnake_search.reader import decode
from battlesnake_search.searcher_client import SearcherClient, SearchReply
from battlesnake_search.translate import search_request
from tests.battlesnake_search.samples import deadlines_in
from tests.support.certificates import SIDES, Files, shown_at
from tests.support.logs import capture_logs
from tests.support.searchers import searcher
from tests.support.services import ROOT, compile_default, free_port, samples

BODY = ROOT / "tests" / "fixtures" / "requests" / "standard-move-mid-42.json"

CALL = 5.0
"""Seconds that a call may take."""

TAKEN_UP = 20.0
"""Seconds within which both sides must use a replacement."""

PAUSE = 0.05
"""Seconds between two checks whether a replacement is taken up."""


@dataclass
class Calls:
    """The calls of a run: how many brought a result, and the errors on the way there, by status."""

    made: int = 0
    lost: int = 0
    errors: Counter[str] = field(default_factory=Counter)

    def count(self, reply: SearchReply) -> None:
        """Count a call."""
        self.made += 1
        self.lost += not reply.final
        self.errors.update(failure.code.name for failure in reply.failures)


class Rotation:
    """Replaces the credentials of both sides, and waits each time until they are taken up."""

    def __init__(self, port: int, files: Files) -> None:
        self._port = port
        self._files = files
        self._target = f"{TLS}localhost:{port}"
        self._credentials = Credentials(files.caller)
        self._log: list[EventDict] = []
        self.taken_up: dict[str, list[float]] = {}
        """The seconds until replacements were taken up, by the name of the credential."""

    async def run(self, most: int, at_once: int, rounds: int) -> Calls:
        """Make `most` calls or more, `at_once` at a time, and meanwhile replace everything `rounds` times."""
        calls = Calls()
        with capture_logs() as self._log:
            async with (
                SearcherClient(self._target, self._credentials) as client,
                asyncio.TaskGroup() as tasks,
            ):
                rotating = tasks.create_task(self._rotate(rounds))
                for _ in range(at_once):
                    tasks.create_task(self._call(client, calls, most, rotating))
        return calls

    async def _call(
        self, client: SearcherClient, calls: Calls, most: int, rotating: "asyncio.Task[None]"
    ) -> None:
        request = search_request(decode(BODY.read_bytes()), Plan(limits=Limits(depth=1)))
        while calls.made < most or not rotating.done():
            calls.count(await client.search(request, deadlines_in(CALL, CALL)))

    async def _rotate(self, rounds: int) -> None:
        """Replace everything in turn. Raises TimeoutError if a replacement is not taken up."""
        replacements: dict[str, Callable[[], Awaitable[None]]] = {
            "the searcher's certificate": partial(self._renew, "server"),
            "the caller's certificate": partial(self._renew, "client"),
            "the authority": self._replace_authority,
            "the token": self._replace_token,
        }
        for what, replace in chain.from_iterable(repeat(replacements.items(), rounds)):
            begin = monotonic()
            async with asyncio.timeout(TAKEN_UP):
                await replace()
            self.taken_up.setdefault(what, []).append(monotonic() - begin)

    async def _renew(self, *sides: str) -> None:
        """Replace the certificates of sides, and wait until new connections are made with them."""
        before = self._renewals()
        self._files.renew(*sides)
        while "client" in sides and self._renewals() == before:
            await asyncio.sleep(PAUSE)
        while "server" in sides and await asyncio.to_thread(shown_at, self._port) != self._files.shown():
            await asyncio.sleep(PAUSE)

    def _renewals(self) -> int:
        """Return how often the caller has connected with new certificates."""
        return sum(entry["event"] == "connected with the new certificates" for entry in self._log)

    async def _replace_authority(self) -> None:
        """Make both sides trust both authorities before they show certificates of the new one."""
        former, new = self._files.authority, trustme.CA()
        for authority, trusted in ((former, [former, new]), (new, [former, new]), (new, [new])):
            self._files.authority, self._files.trusted = authority, trusted
            await self._renew(*SIDES)

    async def _replace_token(self) -> None:
        """Make the searcher accept both tokens until the caller shows the new one."""
        former, present = self._files.token.read_text(), self._files.entry
        new, self._files.entry = self._files.new_token()
        self._files.accept(present, self._files.entry)
        await self._answered(new, grpc.StatusCode.OK)
        self._files.show(new)
        while self._credentials.metadata(self._target) != (("authorization", f"Bearer {new}"),):
            await asyncio.sleep(PAUSE)
        # Calls that show the former token may still be on their way.
        await asyncio.sleep(0.2)
        self._files.accept(self._files.entry)
        await self._answered(former, grpc.StatusCode.UNAUTHENTICATED)

    async def _answered(self, token: str, code: grpc.StatusCode) -> None:
        """Wait until calls with a token are answered by a status."""
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(token)
            file.flush()
            shown = Credentials(CredentialFiles(self._files.certificates("client"), Path(file.name)))
            async with SearcherClient(self._target, shown) as client:
                while await _status(client) is not code:
                    await asyncio.sleep(PAUSE)


async def _status(client: SearcherClient) -> grpc.StatusCode:
    try:
        await client.list_strategies(CALL)
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


@click.command(context_settings=CONTEXT)
def main() -> None:
    """Replace certificates and tokens while calls go on, and count lost calls."""
    compile_default()
    sys.exit(bool(asyncio.run(_run())))


async def _run() -> int:
    """Run the benchmark, and return the number of lost calls."""
    port, health, metrics = (free_port() for _ in range(3))
    with tempfile.TemporaryDirectory() as folder:
        files = Files(Path(folder))
        options = [*files.options, "--metrics", f"127.0.0.1:{metrics}"]
        async with searcher(f"127.0.0.1:{port}", *options, health=f"127.0.0.1:{health}"):
            rotation = Rotation(port, files)
            calls = await rotation.run(most=10_000, at_once=8, rounds=3)
            url = f"http://127.0.0.1:{metrics}"
            handshakes, connections = (
                samples(url, f"searcher_{name}_total")[0].value for name in ("tls_handshakes", "connections")
            )
    Console(width=100).print(_table(rotation.taken_up))
    click.echo(f"{calls.made} calls, {calls.lost} lost, {calls.errors.total()} repeated {dict(calls.errors)}")
    click.echo(f"{handshakes:.0f} TLS handshakes, {connections:.0f} connections with calls")
    return calls.lost


def _table(taken_up: Mapping[str, Sequence[float]]) -> Table:
    table = Table("replaced", "times", "taken up within")
    for what, seconds in taken_up.items():
        table.add_row(what, str(len(seconds)), f"{max(seconds):.1f} s")
    return table


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.tls.rotation")
