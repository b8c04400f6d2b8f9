"""Who searches, and until when: the rules by which requests share the workers. Knows no clock, no thread.

Timed requests come first, the earliest deadline first. While some wait, the longest-running searches are
cut back to a share of time: the longest that, given to each of them and to everyone who waits, still lets
all finish by their deadlines. Who would soon be done anyway is let finish. Requests limited by depth or nodes
alone must repeat exactly, so nothing cuts them back; they wait until no timed request does, and leave one
worker to the timed ones if there are two.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

MIN_SHARE = 0.005
"""The shortest time to search in that is worth it, in seconds."""

MAX_UNTIMED = 64
"""The most untimed requests that may wait."""

OVERTIME = 0.6
"""Of a share: a search that has had its own and ends within as much of another is not cut back. The others
can spare it, and an answer is worth no more for coming sooner."""

LEAD = 0.003
"""Seconds by which searches end before their deadlines while others wait. Busy cores hold some answers up for
as long, and no time is lost, since the next search starts sooner as well..."""

LEAD_SHARE = 0.07
"""...but no more than this share of a search's time."""

SPREAD = 0.003
"""Seconds over which the ends of searches that run side by side are spread: answers that leave at the same
moment wait for each other longer than that..."""

SPREAD_SHARE = 0.01
"""...but no more than this share of a search's time."""


@dataclass(eq=False, slots=True)
class Entry:
    """A request's place in the timetable. Times are in seconds, on one clock that never steps back."""

    deadline: float
    """When the search has to end at the latest, timed or not."""
    timed: bool = True
    """Whether it is limited by time, and so may be given less of it."""
    threads: int = 1
    """The threads it asks for; it gets at most those that nobody else waits for."""
    started: float = -math.inf
    """-inf while it waits."""
    held: int = 0
    """Workers that it occupies: the threads to search with."""


_BY_DEADLINE = attrgetter("deadline")


class Timetable:
    """The requests that wait and those that run, on a fixed number of workers."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._waiting: list[Entry] = []
        self._untimed: list[Entry] = []
        self._running: list[Entry] = []

    def admit(self, entry: Entry, now: float) -> bool:
        """Lets a request wait; False when it, or one that it would delay, is left with too short a share."""
        if not entry.timed:
            room = len(self._untimed) < MAX_UNTIMED and entry.deadline - now >= MIN_SHARE
            self._untimed += [entry] if room else []
            return room
        place = bisect_right(self._waiting, entry.deadline, key=_BY_DEADLINE)
        after = [*self._waiting[:place], entry, *self._waiting[place:]]
        if min(self._bounds(after, now)[place:]) < MIN_SHARE:
            return False
        self._waiting = after
        return True

    def start_next(self, now: float) -> Entry | None:
        """Starts the next request if a worker is free for it."""
        free = self.workers - self._held(self._running)
        if self._waiting and free:
            return self._start(self._waiting.pop(0), free - len(self._waiting), now)
        free = min(free, max(1, self.workers - 1) - self._held(self._running, timed=False))
        if self._untimed and free > 0:
            return self._start(self._untimed.pop(0), free, now)
        return None

    def remove(self, entry: Entry) -> None:
        """Forgets a request that has finished or no longer waits."""
        for entries in (self._waiting, self._untimed, self._running):
            if entry in entries:
                entries.remove(entry)

    def ends(self, now: float) -> Iterator[tuple[Entry, float]]:
        """When each running search has to end, as things stand; `now` means at once."""
        share = min(self._bounds(self._waiting, now), default=math.inf)
        workers_needed = len(self._waiting) - (self.workers - self._held(self._running))
        for rank, entry in enumerate(self._running):
            if not entry.timed:
                yield entry, entry.deadline
                continue
            end = entry.deadline - (_part(entry, entry.deadline, LEAD, LEAD_SHARE) if self._waiting else 0.0)
            if workers_needed > 0:
                end = _cut_back(entry, end, share, now)
                workers_needed -= entry.held
            # Away from those that started before.
            yield entry, end - _part(entry, end, SPREAD, SPREAD_SHARE) * rank / len(self._running)

    def _start(self, entry: Entry, free: int, now: float) -> Entry:
        entry.started, entry.held = now, max(1, min(entry.threads, free))
        self._running.append(entry)
        return entry

    def _held(self, entries: Sequence[Entry], *, timed: bool | None = None) -> int:
        return sum(entry.held for entry in entries if timed is None or entry.timed == timed)

    def _starts(self) -> list[float]:
        """Since when each worker open to timed requests is busy, longest first; -inf: it is idle."""
        idle = self.workers - self._held(self._running)
        # Entries are appended as they start, so they stand in order.
        busy = [entry.started for entry in self._running if entry.timed for _ in range(entry.held)]
        return [-math.inf] * idle + busy

    def _bounds(self, waiting: Sequence[Entry], now: float) -> list[float]:
        """For each waiting request, the longest share at which it finishes by its deadline.

        The k-th to wait gets the worker that comes free k-th: one that started at `start` comes free at
        max(now, start + share), and each waiting request before it there takes another share. With no
        worker open to timed requests at all, nothing is known about the wait but its end.
        """
        starts = self._starts() or [-math.inf] * max(1, len(waiting))
        bounds = []
        for rank, entry in enumerate(waiting):
            turns, worker = rank // len(starts) + 1, rank % len(starts)
            from_now = (entry.deadline - now) / turns
            bounds.append(min(from_now, (entry.deadline - starts[worker]) / (turns + 1)))
        return bounds


def _cut_back(entry: Entry, end: float, share: float, now: float) -> float:
    """The end of a search whose worker others wait for."""
    spared = (1 - OVERTIME) * share >= MIN_SHARE
    if spared and end <= entry.started + (1 + OVERTIME) * share:
        return end
    return min(end, max(now, entry.started + share))


def _part(entry: Entry, end: float, most: float, share: float) -> float:
    """A part of the time up to an end: `most` seconds, or that share, or all but the least to search in."""
    time = end - entry.started
    return max(0.0, min(most, share * time, time - MIN_SHARE))
