"""The margins from the end of a search to its call's own deadline, so that the caller gets the response.

The deadline counts from the moment of the caller's call, and includes the time in which its program receives
and reads the response. The searcher can't see these times. For each connection it learns the delay from the
end of a search until the response is written or the call is over. A reserve covers everything else.
"""

from battlesnake_search.common.estimation import expected_delay

_LEAST_RESERVE = 0.010
_RESERVE_SHARE = 0.1
_MOST_RESERVE = 0.025
"""The reserve is _RESERVE_SHARE * time left, clamped to _LEAST_RESERVE and _MOST_RESERVE, in seconds."""

_FIRST_DELAY = 0.015
"""Seconds of delay assumed for a new connection. Programs are slow while they load their own code. A Node
client takes 15 to 35 ms to read its first response."""

_MOST_DELAY = 0.025
"""The longest delay learned, in seconds. A longer delay means a stalled machine, unlikely to recur."""

_MOST_SHARE = 0.5
"""The largest share of the time left that a margin may take."""

MOST_MARGIN = _MOST_RESERVE + _MOST_DELAY
"""The longest margin, in seconds."""

MOST_CONNECTIONS = 1000
"""The limit of connections with stored delays. The connections with the latest calls are kept."""


class ResponseMargins:
    """The margins of calls, learned for each connection. The peer's address is the connection's name."""

    def __init__(self) -> None:
        self._delays: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._delays)

    def of(self, peer: str, remaining: float) -> float:
        """Return the margin for a call with this many seconds until its own deadline."""
        reserve = min(max(_LEAST_RESERVE, _RESERVE_SHARE * remaining), _MOST_RESERVE)
        return min(reserve + self._delays.get(peer, _FIRST_DELAY), _MOST_SHARE * remaining)

    def record(self, peer: str, delay: float) -> None:
        """Learn the delay of a call, in seconds from its search's end to its response or its deadline.

        The expected delay rises immediately and falls slowly. A call that was over before the end of its
        search has a delay below 0. Such a delay is not used.
        """
        if delay < 0:
            return
        expected = self._delays.pop(peer, _FIRST_DELAY)
        self._delays[peer] = min(expected_delay(expected, delay), _MOST_DELAY)
        if len(self._delays) > MOST_CONNECTIONS:
            del self._delays[next(iter(self._delays))]
