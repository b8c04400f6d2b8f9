"""How a position is to be searched: what a route has decided, for those who ask searchers."""

from collections.abc import Mapping
from typing import Annotated

import msgspec

_Count32 = Annotated[int, msgspec.Meta(ge=1, le=2**32 - 1)]
_Count64 = Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]

Metadata = tuple[tuple[str, str], ...]
"""Headers of a gRPC call."""

OWN = ""
"""Stands for the target of the gateway's own searchers: those of its command line, or its embedded one."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of a search beside the time that the game leaves; 0: none.

    `time` is in milliseconds and can only shorten a search. The others are those of the contract.
    """

    time: _Count32 = 0
    depth: _Count32 = 0
    nodes: _Count64 = 0
    threads: _Count32 = 0
    seed: _Count64 = 0


class Plan(msgspec.Struct, frozen=True):
    """Whom to ask, and for what.

    `searchers` are gRPC targets; several split the root moves. An empty `strategy` is the searcher's default.
    """

    arm: str = ""
    strategy: str = ""
    evaluator_weights: Mapping[str, float] = {}
    searchers: tuple[str, ...] = (OWN,)
    limits: Limits = Limits()

    @property
    def metadata(self) -> Metadata:
        """What proxies between gateway and searchers may route calls by."""
        headers = (("x-strategy", self.strategy), ("x-arm", self.arm))
        return tuple(header for header in headers if header[1])
