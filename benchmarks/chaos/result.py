"""The effects of a fault on its games, and the table of all faults."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.support.games import GameReport

STALL = 0.02
"""The longest stall of the machine, in seconds, that does not excuse late answers. The gateway's budget
reserves this time twice: once for a slower network, and once for a search that ends late."""

MOST_GROWTH = 50.0
"""Megabytes by which the gateway's memory may grow."""

COLUMNS = (
    "fault",
    "games",
    "moves",
    "late",
    "worst ms",
    "searched",
    "partial",
    "reflex",
    "failed",
    "lost",
    "errors",
    "memory MB",
    "stall ms",
)

_LATE = ("Client.Timeout", "/end failed")
"""Texts in the engine's complaints about late answers. It gives no reason for `/end`; an end that the gateway
missed is a lost outcome."""

_SOURCES = ("search", "best-so-far", "reflex")


@dataclass(frozen=True)
class Played:
    """A game, and the longest stall of the machine while it was played, in seconds."""

    report: GameReport
    stall: float

    @property
    def late(self) -> int:
        """The late answers. The engine's record lacks late answers of snakes that died in the same turn."""
        return max(self.report.late, len(self.report.warnings) - len(self.failed))

    @property
    def unexcused(self) -> int:
        """The late answers that no stall of the machine excuses."""
        return 0 if self.stall >= STALL else self.late

    @property
    def failed(self) -> list[str]:
        """The engine's complaints about answers that were not late but missing, refused or invalid."""
        return [warning for warning in self.report.warnings if not any(text in warning for text in _LATE)]


@dataclass(frozen=True)
class Result:
    """The effects of a fault on its games. Memory is the gateway's in megabytes, before and after."""

    fault: str
    games: Sequence[Played] = ()
    sources: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    """Outcomes of games that are not in the database after the fault."""
    memory: tuple[float, float] = (0.0, 0.0)
    errors: Sequence[str] = ()
    """Lines of level error and stack traces in the gateway's log."""
    exit_code: int | None = None
    """The exit code of a gateway that ended by itself."""

    @property
    def late(self) -> int:
        """The number of late answers."""
        return sum(game.late for game in self.games)

    @property
    def failed(self) -> list[str]:
        """The engine's complaints about answers that were missing, refused or invalid."""
        return [complaint for game in self.games for complaint in game.failed]

    def failures(self, is_strict: bool = True) -> list[str]:
        """Return the goals that were missed; late answers count only if `is_strict`."""
        unexcused = sum(game.unexcused for game in self.games) if is_strict else 0
        growth = self.memory[1] - self.memory[0]
        missed = {
            f"{self.lost} outcomes lost": self.lost != 0,
            f"the gateway ended with {self.exit_code}": self.exit_code is not None,
            f"{unexcused} answers late while the machine did not stall": unexcused != 0,
            f"{growth:.0f} MB more memory": growth >= MOST_GROWTH,
            f"failed answers: {'; '.join(self.failed[:3])}": bool(self.failed),
            f"errors in the log: {'; '.join(self.errors[:3])}": bool(self.errors),
        }
        return [f"{self.fault}: {failure}" for failure, is_missed in missed.items() if is_missed]

    def row(self) -> list[str]:
        """Return the cells of the table."""
        latencies = [latency for game in self.games for latency in game.report.latencies]
        counts = [len(self.games), len(latencies), self.late, max(latencies, default=0)]
        counts += [self.sources[source] for source in _SOURCES]
        counts += [len(self.failed), self.lost, len(self.errors)]
        stall = max((game.stall for game in self.games), default=0.0) * 1000
        memory = "{:.0f} to {:.0f}".format(*self.memory)
        return [self.fault, *map(str, counts), memory, f"{stall:.0f}"]
