"""The effects of a stranger on a game and on the services, their bounds, and the table of all strangers."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.games import TIMEOUT
from benchmarks.strangers.plan import Report
from benchmarks.strangers.services import Memory
from console.store.records import DEFAULT_BOUNDS
from gateway.game.log import PLAYED_LINES

MOST_GROWTH = 10.0
"""Megabytes of its own memory by which a service may have grown after a stranger."""

MOST_LINES = 100
"""Lines that a stranger may add to the logs."""

MOST_DATABASE = DEFAULT_BOUNDS.bytes
"""Bytes of the database."""

ENDED_WITHIN = 5.0
"""Seconds from SIGTERM to the end of the services."""

FAULTS = frozenset({"500", "INTERNAL", "UNKNOWN", "DATA_LOSS"})
"""Answers that are the service's own fault."""

COLUMNS = (
    *("stranger", "moves", "late", "late without", "slowest ms"),
    *("gateway MB", "searcher MB", "log lines", "database kB"),
    *("ended in s", "requests", "answers"),
)


@dataclass(frozen=True)
class Result:
    """A stranger's report, the moves of the game, and the state of the services.

    Memory is by service. `most` has the most resident megabytes.
    """

    stranger: str
    moves: Sequence[float]
    """The milliseconds of each move, as the game measured them; infinite without an answer."""
    report: Report
    before: Mapping[str, Memory]
    most: Mapping[str, float]
    after: Mapping[str, Memory]
    lines: int = 0
    """Lines of the logs about anything but the game."""
    database_bytes: int = 0
    gone: Sequence[str] = ()
    """The services that have ended before SIGTERM."""
    ended_in: float | None = None
    """Seconds from SIGTERM to the end of the services; None without a SIGTERM."""

    @property
    def late(self) -> int:
        """The moves that an engine would not have played."""
        return sum(each >= TIMEOUT for each in self.moves)

    def failures(
        self, without: "Result", limits: Mapping[str, float], is_strict: bool = True
    ) -> Iterator[str]:
        """Yield the bounds that were exceeded.

        As many moves may be late as in the result `without` a stranger. `limits` are the megabytes of each
        service. Late moves and growth count only if `is_strict`.
        """
        if is_strict and self.late > self._allowed(without):
            yield f"{self.late} of {len(self.moves)} moves late or unanswered"
        for name, before in self.before.items():
            if name in self.gone:
                yield f"the {name} ended, with {self.most[name]:.0f} MB"
                continue
            growth = self.after[name].own - before.own
            if is_strict and growth > MOST_GROWTH:
                yield f"the {name} grew by {growth:.0f} MB"
            # What another stranger has left behind is not this one's fault.
            most = self.most[name]
            if most > before.resident + MOST_GROWTH and most > limits[name]:
                yield f"the {name} had {most:.0f} of {limits[name]:.0f} MB"
        # In the short form the first moves of the strangers have their lines, too.
        if self.lines > MOST_LINES + (0 if is_strict else PLAYED_LINES):
            yield f"{self.lines} lines in the logs"
        if self.database_bytes > MOST_DATABASE:
            yield f"{self.database_bytes / 1e6:.0f} MB in the database"
        if self.ended_in is not None and self.ended_in > ENDED_WITHIN:
            yield f"SIGTERM was obeyed after {self.ended_in:.1f} s"
        if faults := FAULTS & self.report.answers.keys():
            yield f"answers {', '.join(sorted(faults))}"

    def _allowed(self, without: "Result") -> int:
        """Return the number of moves that would be late without the stranger, in a game of this length."""
        return math.ceil(without.late * len(self.moves) / max(len(without.moves), 1))

    def row(self, without: "Result") -> list[str]:
        """Return the cells of the table."""
        report = self.report
        return [
            self.stranger,
            *map(str, (len(self.moves), self.late, self._allowed(without))),
            f"{max(self.moves, default=0.0):.0f}",
            *(self._memory(name) for name in self.before),
            *(f"{each:.0f}" for each in (self.lines, self.database_bytes / 1000)),
            "" if self.ended_in is None else f"{self.ended_in:.1f}",
            str(report.sent),
            ", ".join(f"{name} {number}" for name, number in sorted(report.answers.items())),
        ]

    def _memory(self, name: str) -> str:
        """Return the resident memory before, at most and after, and in brackets the service's own."""
        before, after = self.before[name], self.after[name]
        resident = f"{before.resident:.0f} / {self.most[name]:.0f} / {after.resident:.0f}"
        return f"{resident} ({before.own:.0f} / {after.own:.0f})"
