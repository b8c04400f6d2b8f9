"""The program that a port belongs to: its name, its open services, and the bounds of its messages."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MessageBounds:
    """The bounds of the messages of some methods."""

    largest: int
    """Bytes of a message."""
    of_running_calls: int
    """Bytes of the messages of all running calls, except streams of messages."""
    patience: float | None
    """Seconds for a message to arrive. Without it, streams may be silent, and aren't counted as readers."""
    are_calls: bool = True
    """Whether each message of a stream, after the first one, counts as a call of its token."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program, as its port knows it."""

    name: str
    """The name in texts, such as "searcher". It is also the prefix of the options' variables."""
    purpose: str
    """The verb for what clients do, such as "search"."""
    messages: MessageBounds
    """The bounds of all methods without their own ones."""
    messages_of: Mapping[str, MessageBounds] = field(default_factory=dict)
    """The bounds of single methods, by the method's full name."""
    openable: Mapping[str, str] = field(default_factory=dict)
    """The services that may be open to callers without a token. Each has the prefix of its calls' names."""

    @property
    def largest_message(self) -> int:
        """The bytes of the largest message of all methods."""
        return max(bounds.largest for bounds in (self.messages, *self.messages_of.values()))

    def bounds_of(self, method: str) -> MessageBounds:
        """Return the bounds of a method's messages."""
        return self.messages_of.get(method, self.messages)
