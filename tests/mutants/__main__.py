"""`python -m tests.mutants`: changes the code a little, again and again, and shows what no test notices."""

import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from pathlib import Path
from queue import SimpleQueue

import click
from scipy.stats import binomtest

from tests.mutants.run import Copy
from tests.mutants.sample import PACKAGES, Mutant, draw, files_of, mutants_of

ROOT = Path(__file__).parents[2]

GOAL = 0.9


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--package", "packages", type=click.Choice(PACKAGES), multiple=True, help="Repeatable.")
@click.option(
    "--mutants", type=click.IntRange(1), default=60, show_default=True, help="Changes in a package."
)
@click.option("--all", "everything", is_flag=True, help="Make every change, which takes a day.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the sample.")
@click.option("--processes", type=click.IntRange(1), default=2, show_default=True, help="Test runs at once.")
def main(
    files: tuple[str, ...],
    packages: tuple[str, ...],
    mutants: int,
    everything: bool,
    seed: int,
    processes: int,
) -> None:
    """Change the code a little, again and again, and show what no test notices.

    With FILEs each place of these files is changed once; otherwise a sample of the places of each package.

    Exits with 1 if the tests notice less than 90 % of the changes of a package: some changes change nothing.
    """
    groups = {name: [name] for name in files} or {
        package: files_of(ROOT, package) for package in packages or PACKAGES
    }
    copies = [Copy(ROOT) for _ in range(processes)]
    try:
        shares = []
        for group, names in groups.items():
            found = [mutant for name in names for mutant in mutants_of(name, (ROOT / name).read_text())]
            drawn = found if everything else draw(found, len(found) if files else mutants, seed)
            shares.append(_try(group, drawn, copies))
    finally:
        for copy in copies:
            copy.remove()
    sys.exit(min(shares) < GOAL)


def _try(group: str, mutants: Iterable[Mutant], copies: list[Copy]) -> float:
    """Try changes and show those that no test noticed; return the share that was noticed."""
    noticed, tried = 0, 0
    for mutant, is_noticed in _noticed(mutants, copies):
        tried += 1
        noticed += is_noticed
        if not is_noticed:
            code = (ROOT / mutant.file).read_text()
            lines = unified_diff(code.splitlines(), mutant.apply(code).splitlines(), n=0, lineterm="")
            diff = "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))
            click.echo(f"{mutant.file}:{mutant.place[0]} {mutant.operator}\n{diff}")
    if not tried:
        return 1.0
    low, high = binomtest(noticed, tried).proportion_ci(method="wilson")
    click.echo(f"{group}: {noticed} of {tried} noticed, {noticed / tried:.0%} ({low:.0%} to {high:.0%})")
    return noticed / tried


def _noticed(mutants: Iterable[Mutant], copies: list[Copy]) -> Iterator[tuple[Mutant, bool]]:
    """Yield each change, and whether a test noticed it, in the order of the changes."""
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def run(mutant: Mutant) -> tuple[Mutant, bool]:
        copy = free.get()
        try:
            return mutant, copy.notices(mutant)
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(copies)) as pool:
        yield from pool.map(run, mutants)


main()
