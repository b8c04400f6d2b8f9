"""The invalid fields of a request."""

from collections.abc import Collection, Iterable

from searcher.errors import InvalidRequestError, Violation

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
