"""Searchers whose searches share cores, and sums over time."""

from dataclasses import dataclass, field

import simpy

from docs.capacity.measured import LEAST_SHARE, SEARCH


@dataclass(eq=False)
class Level:
    """A number that changes, and its sum over time."""

    env: simpy.Environment
    value: int = 0
    _sum: float = 0.0
    _since: float = 0.0

    def change(self, by: int) -> None:
        """Change the number now."""
        now = self.env.now
        self._sum += (now - self._since) * self.value
        self._since = now
        self.value += by

    @property
    def sum(self) -> float:
        """The number, summed over the seconds until now."""
        self.change(0)
        return self._sum


@dataclass(eq=False)
class Pod:
    """A searcher whose searches share its cores evenly."""

    env: simpy.Environment
    cores: int
    searches: int = 0
    share: float = 0.0
    """Core seconds that one search running all the time would have received."""
    busy: float = 0.0
    """Core seconds in which the cores were busy."""
    demand: float = 0.0
    """Seconds of all searches."""
    _since: float = field(init=False)

    def __post_init__(self) -> None:
        self._since = self.env.now

    @property
    def has_room(self) -> bool:
        """Whether one more search would get a share that is worth it."""
        return self.searches < round(self.cores * SEARCH / LEAST_SHARE)

    def settle(self, change: int = 0) -> None:
        """Update the sums to the current time; then change the number of searches."""
        now, searches, cores = self.env.now, self.searches, self.cores
        passed, self._since = now - self._since, now
        if searches > cores:
            self.busy += passed * cores
            self.share += passed * cores / searches
        else:
            self.busy += passed * searches
            self.share += passed
        self.demand += passed * searches
        self.searches += change
