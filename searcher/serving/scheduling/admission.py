"""Admission of searches, and their shares of time under load. It has neither a clock nor threads.

Timed requests come first, the earliest deadline first. While requests wait, each timed search is limited to a
share: the largest number of seconds with which every request still finishes by its deadline. So the
longest-running searches are cut back, unless they would end soon anyway. Requests limited by depth or nodes
alone must be repeatable, so they are never cut back. They wait while a timed request waits. If there are two
or more workers, these requests leave one worker to timed requests.
"""

import math
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter


@dataclass(frozen=True, slots=True)
class CappedTime:
    """The allowance min(seconds, share * time) for a search of `time` seconds."""

    seconds: float
    share: float

    def of(self, time: float) -> float:
        """Return the allowance for a search of `time` seconds."""
        return min(self.seconds, self.share * time)


MIN_SHARE = 0.005
"""The shortest useful search, in seconds."""

MAX_UNTIMED = 64
"""The largest number of untimed requests that may wait."""

OVERTIME = 0.05
"""A search may exceed its share by this part of the share without being cut back. Other searches can spare
this time, and an earlier response would gain nothing. With a larger part, a game that happens to call first
would have a larger share in every turn. At 0.6 the smallest share of four games on two workers is 65 %."""

LEAD = CappedTime(0.003, 0.07)
"""While other requests wait, a search ends this long before its deadline, because busy cores may delay its
response by as much. No time is lost, because the next search starts sooner."""

MOST_HELPERS = 3
"""The largest number of idle workers that help a search. Each further thread adds less."""

SPREAD = CappedTime(0.003, 0.01)
"""The distance between the ends of simultaneous searches. Responses that leave at the same moment would delay
each other by more."""


@dataclass(eq=False, slots=True)
class Entry:
    """A request that is searched or waits. Times are in seconds, on one clock that never goes backwards."""

    deadline: float
    """The latest end of the search, timed or not."""
    timed: bool = True
    """Whether time limits the search. Such a search may be cut back."""
    threads: int = 1
    """The number of requested threads. The search gets them if no other request waits for a worker."""
    started: float = -math.inf
    """The start of the search, or -inf while it waits."""
    held: int = 0
    """The number of workers that the search holds, each with one thread."""
    takes_idle: bool = False
    """Whether idle workers may help the search."""
    helpers: int = 0
    """The number of idle workers that help the search. For other requests these workers are free."""


_BY_DEADLINE = attrgetter("deadline")


class Admission:
    """The waiting and the running requests of a fixed number of workers."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._waiting: list[Entry] = []
        self._untimed: list[Entry] = []
        self._running: list[Entry] = []

    @property
    def running(self) -> int:
        """The number of running searches."""
        return len(self._running)

    @property
    def free(self) -> int:
        """The number of workers that neither a search nor a helper uses, and that no request waits for."""
        helpers = sum(entry.helpers for entry in self._running)
        return max(0, self.workers - self._held(self._running) - helpers - len(self._waiting))

    def admit(self, entry: Entry, now: float) -> bool:
        """Accept or refuse a request, and return whether it was accepted.

        A request is refused if it would leave too short a share for itself or for a request that it delays.
        """
        if not entry.timed:
            fits = len(self._untimed) < MAX_UNTIMED and entry.deadline - now >= MIN_SHARE
            self._untimed += [entry] if fits else []
            return fits
        place = bisect_right(self._waiting, entry.deadline, key=_BY_DEADLINE)
        after = [*self._waiting[:place], entry, *self._waiting[place:]]
        if min(self._longest_shares(after, now)[place:]) < MIN_SHARE:
            return False
        self._waiting = after
        return True

    def start_next(self, now: float) -> Entry | None:
        """Start the next request if a worker is free for it."""
        free = self.workers - self._held(self._running)
        if self._waiting and free:
            return self._start(self._waiting.pop(0), free - len(self._waiting), now)
        free = min(free, max(1, self.workers - 1) - self._held(self._running, timed=False))
        if self._untimed and free > 0:
            return self._start(self._untimed.pop(0), free, now)
        return None

    def remove(self, entry: Entry) -> None:
        """Remove a completed or abandoned request."""
        for entries in (self._waiting, self._untimed, self._running):
            if entry in entries:
                entries.remove(entry)

    def ends(self, now: float) -> Iterator[tuple[Entry, float]]:
        """Yield each running search with the time of its end. An end at `now` is due immediately."""
        share = min(self._longest_shares(self._waiting, now), default=math.inf)
        workers_needed = len(self._waiting) - (self.workers - self._held(self._running))
        for rank, entry in enumerate(self._running):
            if not entry.timed:
                yield entry, entry.deadline
                continue
            end = entry.deadline - (_allowed(entry, entry.deadline, LEAD) if self._waiting else 0.0)
            if workers_needed > 0:
                end = _cut_back(entry, end, share, now)
                workers_needed -= entry.held
            # A search that started later ends earlier.
            yield entry, end - _allowed(entry, end, SPREAD) * rank / len(self._running)

    def lend(self, started: Collection[Entry]) -> None:
        """Let idle workers help the searches that have just started, and take back those that are needed."""
        idle = self.workers - self._held(self._running)
        takers = [entry for entry in self._running if entry.takes_idle]
        for rank, entry in enumerate(takers):
            most = MOST_HELPERS if entry in started else entry.helpers
            entry.helpers = min(most, idle // (len(takers) - rank))
            idle -= entry.helpers

    def _start(self, entry: Entry, free: int, now: float) -> Entry:
        entry.started, entry.held = now, max(1, min(entry.threads, free))
        self._running.append(entry)
        return entry

    def _held(self, entries: Sequence[Entry], *, timed: bool | None = None) -> int:
        return sum(entry.held for entry in entries if timed is None or entry.timed == timed)

    def _starts(self) -> list[float]:
        """Return the starts of searches on workers open to timed requests, earliest first, -inf if idle."""
        idle = self.workers - self._held(self._running)
        # Running entries are in the order of their starts.
        busy = [entry.started for entry in self._running if entry.timed for _ in range(entry.held)]
        return [-math.inf] * idle + busy

    def _longest_shares(self, waiting: Sequence[Entry], now: float) -> list[float]:
        """Return, for each waiting request, the longest share with which it finishes by its deadline.

        The k-th waiting request gets the k-th worker to become free. A worker whose search started at `start`
        becomes free at max(now, start + share), and each earlier request for the worker takes another share.
        If no worker is open to timed requests, only the deadlines bound the shares.
        """
        starts = self._starts() or [-math.inf] * len(waiting)
        shares = []
        for rank, entry in enumerate(waiting):
            turns, worker = rank // len(starts) + 1, rank % len(starts)
            from_now = (entry.deadline - now) / turns
            shares.append(min(from_now, (entry.deadline - starts[worker]) / (turns + 1)))
        return shares


def _cut_back(entry: Entry, end: float, share: float, now: float) -> float:
    """Return the new end of a search if other requests need its worker."""
    can_spare = (1 - OVERTIME) * share >= MIN_SHARE
    if can_spare and end <= entry.started + (1 + OVERTIME) * share:
        return end
    return min(end, max(now, entry.started + share))


def _allowed(entry: Entry, end: float, allowance: CappedTime) -> float:
    """Return the allowance for a search that ends at `end`. It leaves the search at least MIN_SHARE."""
    time = end - entry.started
    return max(0.0, min(allowance.of(time), time - MIN_SHARE))
