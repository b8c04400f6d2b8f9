"""The violations of a request, as they are found."""

from collections.abc import Collection, Iterable

from searcher.errors import Violation

_MAX_QUOTED = 40
"""The most characters of a caller's word in an error message."""


class Violations(list[Violation]):
    """The violations found so far. Descriptions are built only for invalid fields: most are valid."""

    def add(self, field: str, description: str) -> None:
        """Add a violation."""
        self.append(Violation(field, description))

    def check_range(self, field: str, value: float, least: float, most: float) -> None:
        """Add a violation unless the value is from `least` to `most`."""
        if not least <= value <= most:
            self.add(field, f"must be {least} to {most}, not {value}")

    def check_not_negative(self, field: str, value: int) -> None:
        """Add a violation unless the value is 0 or more."""
        if value < 0:
            self.add(field, f"must be 0 or more, not {value}")

    def check_choice(self, field: str, name: str, valid: Collection[str]) -> None:
        """Add a violation unless the name is a valid one."""
        if name not in valid:
            self.add(field, f"is {quoted(name)}; {valid_names(valid)}")


def quoted(name: str) -> str:
    """Return a caller's word shortened and in ASCII, so that a header can contain it."""
    return ascii(name if len(name) <= _MAX_QUOTED else f"{name[: _MAX_QUOTED - 3]}...")


def valid_names(names: Iterable[str]) -> str:
    """Return the valid names as an error message lists them."""
    return f"valid: {', '.join(quoted(name) for name in names) or 'none'}"
