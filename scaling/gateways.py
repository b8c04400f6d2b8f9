"""The readings of all gateways, and the load that they make together."""

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from scaling.addresses import Address
from scaling.reading import Reading


class Load(NamedTuple):
    """What all gateways need together."""

    searches: float
    """Searches that moves wait for at once, on average."""
    games: float

    @property
    def is_playing(self) -> bool:
        """Whether there is a game, or a move of a game that its gateway has given up."""
        return self.games > 0 or self.searches > 0


class _Gateway:
    """The readings of one gateway, the oldest of which is as old as the window."""

    def __init__(self) -> None:
        self._readings: deque[tuple[float, Reading]] = deque()

    def add(self, at: float, reading: Reading, window: float) -> None:
        readings = self._readings
        if readings and reading.demand < readings[-1][1].demand:
            # The gateway has started anew.
            readings.clear()
        readings.append((at, reading))
        while len(readings) > 2 and readings[1][0] <= at - window:
            readings.popleft()

    def load(self, since: float) -> Load | None:
        """Return the load at the last reading; None if that is older than `since`."""
        (began, first), (ended, last) = self._readings[0], self._readings[-1]
        if ended < since:
            return None
        if ended == began:
            # One reading has no rate. A game waits for a search at nearly all times.
            return Load(last.games, last.games)
        return Load((last.demand - first.demand) / (ended - began), last.games)


class Gateways:
    """The gateways by address. Times are in seconds, by any one clock.

    The load of a gateway is measured over `window` seconds. One that does not answer counts as it last did
    for `patience` seconds, since its games may well go on.
    """

    def __init__(self, window: float, patience: float) -> None:
        self._window = window
        self._patience = patience
        self._gateways: dict[Address, _Gateway] = {}

    def keep(self, addresses: Iterable[Address]) -> None:
        """Forget the gateways with other addresses, whose games go on elsewhere."""
        kept = set(addresses)
        self._gateways = {address: each for address, each in self._gateways.items() if address in kept}

    def add(self, address: Address, at: float, reading: Reading) -> None:
        """Add a gateway's next reading."""
        self._gateways.setdefault(address, _Gateway()).add(at, reading, self._window)

    def load(self, now: float) -> Load | None:
        """Return the load of all gateways; None if it is known of none of them."""
        loads = [each.load(now - self._patience) for each in self._gateways.values()]
        known = [load for load in loads if load]
        if not known:
            return None
        return Load(sum(load.searches for load in known), sum(load.games for load in known))
