"""What a process has in memory, as the kernel of Linux counts it."""

from dataclasses import dataclass
from pathlib import Path

_PRIVATE = ("Private_Clean", "Private_Dirty")


@dataclass(frozen=True, slots=True)
class Memory:
    """Megabytes of a process: resident ones, those that no other process shares, and its share of all."""

    resident: float
    private: float
    proportional: float


def memory_of(pid: int) -> Memory:
    """Return the memory of a process. Raises OSError if it has ended."""
    return read_memory(Path(f"/proc/{pid}/smaps_rollup").read_text())


def read_memory(rollup: str) -> Memory:
    """Read the text of a file smaps_rollup."""
    fields = dict(line.split(":", 1) for line in rollup.splitlines()[1:])
    megabytes = {name: int(text.split()[0]) * 1024 / 1e6 for name, text in fields.items()}
    return Memory(megabytes["Rss"], sum(megabytes[name] for name in _PRIVATE), megabytes["Pss"])
