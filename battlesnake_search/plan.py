"""The plan of a search: its searchers, its strategy, its limits and its deadlines."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import msgspec

_Count32 = Annotated[int, msgspec.Meta(ge=1, le=2**32 - 1)]
_Count64 = Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]

AUTO = "auto"
"""The strategy that chooses a search and an evaluator by the position. It has no weights."""

Metadata = tuple[tuple[str, str], ...]
"""The headers of a gRPC call."""

OWN = ""
"""The target for the gateway's own searchers: named on its command line, or embedded."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of a search in addition to the game's deadline. 0 means no limit.

    `time` is in milliseconds and can only shorten a search. The gRPC contract defines the other limits.
    """

    time: _Count32 = 0
    depth: _Count32 = 0
    nodes: _Count64 = 0
    threads: _Count32 = 0
    seed: _Count64 = 0


class Plan(msgspec.Struct, frozen=True):
    """The searchers to call, and the search to request.

    `searchers` are gRPC targets; several of them split the root moves. An empty `strategy` is the searcher's
    default.
    """

    arm: str = ""
    strategy: str = ""
    evaluator_weights: Mapping[str, float] = {}
    searchers: tuple[str, ...] = (OWN,)
    limits: Limits = Limits()

    @property
    def metadata(self) -> Metadata:
        """The headers by which proxies between gateway and searchers may route calls."""
        headers = (("x-strategy", self.strategy), ("x-arm", self.arm))
        return tuple(header for header in headers if header[1])


@dataclass(frozen=True, slots=True)
class Deadlines:
    """The ends of a search and of its call, in seconds of `time.monotonic()`.

    At `search`, the searcher stops searching and returns its result. At `answer`, the caller stops waiting
    and uses the best result so far. `answer` is not before `search`.
    """

    search: float
    answer: float
