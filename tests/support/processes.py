"""Processes as /proc of Linux shows them."""

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

COMPILER = ("numba", "llvmlite")
"""The packages that only a build needs."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The resources of a process: megabytes of memory, open files and threads.

    The memory is resident and the process's own: the kernel takes back pages of files as it likes.
    """

    megabytes: float
    files: int
    threads: int


def usage(pid: int) -> Usage:
    """Return what a process holds. Raises OSError if it has ended."""
    process = Path(f"/proc/{pid}")
    fields = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    kilobytes = int(fields["RssAnon"].split()[0])
    return Usage(kilobytes * 1024 / 1e6, len(os.listdir(process / "fd")), int(fields["Threads"]))


def family(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            yield from family(int(child))


def processor_time(pid: int) -> float:
    """Return the seconds of processor time of a process and its descendants, also of ended children."""
    total = 0
    for each in family(pid):
        # A process may just have ended.
        with suppress(OSError):
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def own_processor_time(pid: int) -> float:
    """Return the seconds of processor time of a process's threads, to a nanosecond."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(each.read_text().split()[0]) for each in threads) / 1e9


def module(pid: int) -> str:
    """Return the Python module that a process runs, as its command names it; empty if it names none."""
    arguments = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    return arguments[arguments.index("-m") + 1] if "-m" in arguments else ""


def loaded_by(pid: int, packages: Collection[str]) -> set[str]:
    """Return the packages whose files are in the memory of a process or of its descendants."""
    maps = [Path(f"/proc/{each}/maps").read_text() for each in family(pid)]
    return {package for package in packages if any(package in text for text in maps)}


def resident_megabytes(pid: int) -> float:
    """Return the resident memory of a process, with pages of files. Raises OSError if it has ended."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
