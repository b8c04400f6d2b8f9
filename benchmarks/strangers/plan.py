"""The plan of a stranger's process, its report, and the strangers' form."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count

import msgspec

NUMBERS = count(1)
"""Numbers for ever-new names."""


class Plan(msgspec.Struct, frozen=True):
    """The means of a stranger: ports on loopback, tokens, and the bounds of its time and its requests."""

    stranger: str
    seconds: float
    requests: int
    http: int
    """The gateway's port."""
    grpc: int = 0
    """The searcher's port; 0 if the searcher is the gateway's own."""
    limited: str = ""
    """A token with limits."""
    unlimited: str = ""
    """A token without limits."""
    course: int = 0
    """A number that makes the names of this process new."""

    def name(self) -> str:
        """Return a new name. All names have the same length."""
        return f"{self.course:04x}{next(NUMBERS):012x}"


class Report(msgspec.Struct):
    """The work of a stranger. It changes until the stranger ends."""

    sent: int = 0
    answers: dict[str, int] = {}
    """The number of answers by status, and of connections by their end."""

    def count(self, answer: str) -> None:
        """Count an answer, by its status, or the end of a connection."""
        self.answers[answer] = self.answers.get(answer, 0) + 1


Act = Callable[[Plan, Report], Awaitable[None]]


@dataclass(frozen=True)
class Stranger:
    """A program that disturbs the services, with a sentence about its requests."""

    name: str
    sentence: str
    act: Act
    is_at_searcher: bool = False
    """Whether it calls the searcher's ports. Then the searcher is a process of its own, with tokens."""
