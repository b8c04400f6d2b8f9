"""The errors that requests end with in place of a result, besides those of any port, and invalid fields."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

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
        request, size = error_details_pb2.BadRequest(), 0
        for violation in self.violations:
            size += len(str(violation))
            if size <= MAX_DETAILS:
                request.field_violations.add(field=violation.field, description=violation.description)
        yield request


MOST_VIOLATIONS = 100
"""The number of violations at which the check of a request ends. An answer has room for fewer."""

_MAX_QUOTED = 40
"""The most characters of a caller's word in an error message."""


class Violations(list[Violation]):
    """The violations found so far. Descriptions are built only for invalid fields, because most are valid."""

    prefix = ""
    """The beginning of the paths of the fields."""

    def add(self, field: str, description: str) -> None:
        """Add a violation. Raises InvalidRequestError if there are MOST_VIOLATIONS."""
        self.append(Violation(self.prefix + field, description))
        if len(self) >= MOST_VIOLATIONS:
            rest = Violation("request", f"has {MOST_VIOLATIONS} invalid fields, so the rest was not checked")
            raise InvalidRequestError([*self, rest])

    def check_range(self, field: str, value: float, least: float, most: float) -> None:
        """Add a violation unless the value is from `least` to `most`."""
        if not least <= value <= most:
            self.add(field, f"must be {least} to {most}, not {value}")

    def check_not_negative(self, field: str, value: int) -> None:
        """Add a violation unless the value is 0 or more."""
        if value < 0:
            self.add(field, f"must be 0 or more, not {value}")

    def check_choice(self, field: str, name: str, valid: Collection[str]) -> None:
        """Add a violation unless the name is among the valid names."""
        if name not in valid:
            self.add(field, f"is {quoted(name)}; {valid_names(valid)}")


def quoted(name: str) -> str:
    """Return a caller's word shortened and in ASCII, so that a header can contain it."""
    return ascii(name if len(name) <= _MAX_QUOTED else f"{name[: _MAX_QUOTED - 3]}...")


def valid_names(names: Iterable[str]) -> str:
    """Return the valid names as text for an error message."""
    return f"valid: {', '.join(quoted(name) for name in names) or 'none'}"


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
