"""How long before a call's own deadline its search has to end, so that the caller still gets the response.

A caller counts its deadline from the moment at which it makes the call, and its program has to receive and
read the response before then. The searcher can't see that. It sees how long after the end of a search the
response was written, or the call was over without one, and learns from it for each connection. A reserve
covers everything that it can't see.
"""

from battlesnake_search.common.estimation import expected_delay

_LEAST_RESERVE = 0.010
_RESERVE_SHARE = 0.1
_MOST_RESERVE = 0.025
"""The reserve is this share of the time left, but not less and not more than these seconds."""

_FIRST_DELAY = 0.015
"""Seconds of delay assumed of a new connection. Programs are slow at first, while they load their own code: a
Node client takes 15 to 35 ms to read its first response."""

_MOST_DELAY = 0.025
"""Seconds. A longer delay means that a machine stalled, which the next call is unlikely to meet again."""

_MOST_SHARE = 0.5
"""The largest share of the time left that a margin may take."""

MOST_MARGIN = _MOST_RESERVE + _MOST_DELAY
"""The longest margin, in seconds."""

MOST_CONNECTIONS = 1000
"""Connections whose delays are remembered; of more, those with the latest calls."""


class ResponseMargins:
    """The margins of calls, learned for each connection. A connection is named by its peer's address."""

    def __init__(self) -> None:
        self._delays: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._delays)

    def of(self, peer: str, remaining: float) -> float:
        """Return the margin for a call with so many seconds left until its own deadline."""
        reserve = min(max(_LEAST_RESERVE, _RESERVE_SHARE * remaining), _MOST_RESERVE)
        return min(reserve + self._delays.get(peer, _FIRST_DELAY), _MOST_SHARE * remaining)

    def record(self, peer: str, delay: float) -> None:
        """Learn how long after its search's end a call was over: its response written, or its deadline past.

        The delay to expect rises at once and falls slowly. A call that was over before its search had to end
        has a delay below 0, and nothing is learned from it.
        """
        if delay < 0:
            return
        expected = self._delays.pop(peer, _FIRST_DELAY)
        self._delays[peer] = min(expected_delay(expected, delay), _MOST_DELAY)
        if len(self._delays) > MOST_CONNECTIONS:
            del self._delays[next(iter(self._delays))]
