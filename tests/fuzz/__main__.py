"""Fuzzes the targets side by side: python -m tests.fuzz [TARGET]... --runs N or --seconds S.

Inputs that reach new code are kept in .cache/fuzz, and those that fail in .cache/fuzz/failures.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from battlesnake_search.common.cli import CONTEXT

ROOT = Path(__file__).parents[2]
CORPUS = Path(__file__).with_name("corpus")
CACHE = ROOT / ".cache" / "fuzz"

LONGEST_INPUT = 16_384
STUCK_AFTER = 20
"""Seconds for one input."""

SHORT = {"body": 6_000, "routes": 1_000, "tokens": 1_000, "translator": 4_000, "record": 2_000}
SHORT |= {"searcher": 80, "gateway": 500, "http": 100}
"""The inputs of each target in a short run: together some seconds of two cores."""


@click.command(context_settings=CONTEXT)
@click.argument("targets", nargs=-1, type=click.Choice(tuple(SHORT)))
@click.option("--seconds", type=click.IntRange(1), help="Time of each target, instead of a short run.")
@click.option("--seed", type=click.IntRange(1), default=1, help="Seed of the mutations.")
def main(targets: tuple[str, ...], seconds: int | None, seed: int) -> None:
    """Fuzz TARGETs, by default all: a short run that is the same each time, or as long as you like."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {name: pool.submit(_fuzz, name, seconds, seed) for name in targets or SHORT}
    failed = [name for name, job in jobs.items() if not _report(name, job.result())]
    sys.exit(bool(failed))


def _fuzz(name: str, seconds: int | None, seed: int) -> "subprocess.CompletedProcess[str]":
    known, failures = CACHE / name, CACHE / "failures"
    for folder in (known, failures):
        folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as forgotten:
        # The first folder receives what is new. A short run must not depend on what earlier ones have found.
        first, limit = (
            (known, f"-max_total_time={seconds}") if seconds else (forgotten, f"-runs={SHORT[name]}")
        )
        command = [sys.executable, "-m", "tests.fuzz.run", name, limit, f"-seed={seed}"]
        command += [f"-max_len={LONGEST_INPUT}", f"-timeout={STUCK_AFTER}", "-print_final_stats=1"]
        command += [f"-artifact_prefix={failures / name}-", str(first), str(CORPUS / name)]
        # The fuzzer ends its process without removing what the target has made.
        return subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | {"TMPDIR": forgotten},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


def _report(name: str, done: "subprocess.CompletedProcess[str]") -> bool:
    """Print what came of a target; return whether it has passed."""
    if done.returncode == 0:
        runs = done.stdout.rpartition("stat::number_of_executed_units:")[2].split()[0]
        click.echo(f"{name}: {runs} inputs")
        return True
    click.echo(done.stdout[-6000:], err=True)
    click.echo(f"{name}: failed; repeat it with python -m tests.fuzz.run {name} FILE", err=True)
    return False


if __name__ == "__main__":
    main(prog_name="python -m tests.fuzz")
