"""The errors of a searcher, besides those of any port, that requests end with in place of a result."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2

from battlesnake_search.serving.errors import RequestError

MAX_DETAILS = 3_000
"""The largest size of a response's violations, in bytes. gRPC refuses headers of more than 8 KiB."""

MAX_IN_MESSAGE = 3
"""The largest number of violations that the message lists."""


@dataclass(frozen=True, slots=True)
class Violation:
    """An invalid field. `field` is its protobuf path, like `position.board.snakes[1].body[3]`."""

    field: str
    description: str

    def __str__(self) -> str:
        return f"{self.field}: {self.description}"


class InvalidRequestError(RequestError):
    """The request is invalid. `violations` lists the reasons."""

    code = code_pb2.INVALID_ARGUMENT

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations = tuple(violations)
        shown = "; ".join(str(violation) for violation in self.violations[:MAX_IN_MESSAGE])
        more = len(self.violations) - MAX_IN_MESSAGE
        super().__init__(f"{shown}; and {more} more" if more > 0 else shown)

    def details(self) -> Iterable[Message]:
        """Yield the violations that fit."""
        request = error_details_pb2.BadRequest()
        for violation in self._violations_that_fit():
            request.field_violations.add(field=violation.field, description=violation.description)
        yield request

    def _violations_that_fit(self) -> Iterable[Violation]:
        sizes = accumulate(len(str(violation)) for violation in self.violations)
        return (
            violation for violation, size in zip(self.violations, sizes, strict=True) if size <= MAX_DETAILS
        )


class UnavailableError(RequestError):
    """The searcher is starting, compiling the request's code, or draining."""

    code = code_pb2.UNAVAILABLE


COMPILING = "COMPILING"
"""The reason, for programs, of a refusal because code is being compiled."""

_DOMAIN = "battlesnake.search.v1"


class CompilingError(UnavailableError):
    """The code for the request is being compiled. Other code may be ready, such as the default strategy's."""

    def details(self) -> Iterable[Message]:
        """Yield the reason for programs."""
        yield error_details_pb2.ErrorInfo(reason=COMPILING, domain=_DOMAIN)


class SearchFailedError(RequestError):
    """The search failed. The log has the traceback."""

    code = code_pb2.INTERNAL
