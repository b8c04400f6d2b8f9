"""All attacks of hostile clients at once, during games: python -m benchmarks.abuse.

Half-open connections, slow senders, random bodies and random gRPC messages reach a gateway and a searcher
while games go on. The exit status is 1 for a late answer of the games, a status that is the service's own
fault, a hostile connection that stays open, an error in a log, or growing memory.
"""

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from statistics import median

import click
import msgspec

from battlesnake_search.common.cli import CONTEXT
from benchmarks.attack import Attack, Report
from benchmarks.games import TIMEOUT, play
from tests.support.processes import resident_megabytes
from tests.support.searchers import searcher
from tests.support.services import ROOT, compile_default, errors_in, free_port, gateway_process
from tests.support.stalls import StallWatch

GAMES = 8

CLOSED_WITHIN = 30.0
MOST_GROWTH = 50.0
"""Megabytes by which the memory of a process may grow."""

SETTLING = 5.0
"""Seconds to wait before memory is measured."""

ROUND = 5.0
"""Seconds of games before the attack. Then rounds of the same length follow until the attack is over."""

FAULTS = ("INTERNAL", "UNKNOWN", "DATA_LOSS")
"""Statuses of gRPC that are the service's own fault."""


@dataclass(frozen=True)
class Measured:
    """The figures of one run. Memory is in megabytes, by process, before and after."""

    answers: Sequence[float]
    stall: float
    report: Report
    memory: Mapping[str, tuple[float, float]]
    errors: Sequence[str]

    def lines(self) -> Iterator[tuple[str, str, bool]]:
        """Yield the name of each measure, its figure, and whether the figure meets its goal."""
        late = sum(milliseconds >= TIMEOUT for milliseconds in self.answers)
        worst = max(self.answers)
        yield f"{len(self.answers)} answers of games", f"{late} late, worst {worst:.0f} ms", not late
        yield "longest stall of the machine", f"{self.stall * 1000:.0f} ms", True
        for name, after in (("half-open", self.report.half_open), ("slow", self.report.slow)):
            longest = max(after, default=0.0)
            closed = f"closed after {median(after or [0]):.1f} s, the last after {longest:.1f} s"
            yield f"{len(after)} {name} connections", closed, longest < CLOSED_WITHIN
        bodies, messages = self.report.bodies, self.report.messages
        yield f"{sum(bodies.values())} bodies", _counts(bodies), not any(name[0] == "5" for name in bodies)
        yield f"{sum(messages.values())} messages", _counts(messages), not messages.keys() & set(FAULTS)
        for name, (before, after_it) in self.memory.items():
            grown = f"{before:.0f} MB, then {after_it:.0f} MB"
            yield f"memory of the {name}", grown, after_it - before < MOST_GROWTH
        yield "errors in the logs", "; ".join([str(len(self.errors)), *self.errors[:3]]), not self.errors


@click.command(context_settings=CONTEXT)
def main() -> None:
    """Attack a gateway and its searcher during games, and show the effects."""
    compile_default()
    attack = Attack(0, free_port(), half_open=3000, slow=500, bodies=10_000, messages=10_000)
    measured = asyncio.run(_measure(attack))
    for what, figure, is_well in measured.lines():
        click.echo(f"{'ok' if is_well else 'FAIL':6}{what:32}{figure}")
    sys.exit(not all(is_well for *_, is_well in measured.lines()))


async def _measure(attack: Attack) -> Measured:
    target = f"127.0.0.1:{attack.grpc}"
    with tempfile.TemporaryDirectory() as folder:
        logs = [Path(folder) / f"{name}.jsonl" for name in ("gateway", "searcher")]
        async with searcher(target, log=logs[1]) as process:
            with gateway_process(logs[0], "--searcher", target) as gateway:
                pids = {"gateway": gateway.process.pid, "searcher": process.pid}
                await play(gateway.url, GAMES, ROUND, "before")
                before = {name: resident_megabytes(pid) for name, pid in pids.items()}
                watch = StallWatch()
                plan = msgspec.structs.replace(attack, http=int(gateway.url.rpartition(":")[2]))
                attacking = asyncio.create_task(asyncio.to_thread(_run, plan))
                answers: list[float] = []
                while not attacking.done():
                    played = await play(gateway.url, GAMES, ROUND, f"during-{len(answers)}")
                    answers += [move.milliseconds for move in played]
                stall = watch.longest()
                await asyncio.sleep(SETTLING)
                memory = {name: (before[name], resident_megabytes(pid)) for name, pid in pids.items()}
        return Measured(answers, stall, await attacking, memory, [*chain(*map(errors_in, logs))])


def _run(attack: Attack) -> Report:
    # Real attackers have their own processors, so run these with a low priority.
    command = ["nice", sys.executable, "-m", "benchmarks.attack", msgspec.json.encode(attack).decode()]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=Report)


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(found.items()))


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.abuse")
