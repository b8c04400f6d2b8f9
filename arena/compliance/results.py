"""The results of the checks."""

from collections.abc import Sequence
from typing import Literal

import msgspec

Outcome = Literal["pass", "warn", "fail"]
"""warn: the official engine tolerates the deviation, or it merely has a cost."""

_PROBLEMS_SHOWN = 3


class CheckResult(msgspec.Struct, frozen=True):
    """The outcome of one check, with what was expected and what came."""

    name: str
    outcome: Outcome
    expected: str
    came: str


class Report(msgspec.Struct, frozen=True):
    """The results of all checks of the snake at a URL. `timeout` is in milliseconds."""

    url: str
    timeout: int
    results: tuple[CheckResult, ...] = msgspec.field(name="verdicts")

    def count(self, outcome: Outcome) -> int:
        """Return the number of checks with this outcome."""
        return sum(result.outcome == outcome for result in self.results)


def result_of(
    name: str, expected: str, problems: Sequence[str], fine: str, otherwise: Outcome = "fail"
) -> CheckResult:
    """Return a pass, with `fine` as `came`, if there are no problems, else `otherwise` with the first few."""
    if not problems:
        return CheckResult(name, "pass", expected, fine)
    more = [f"and {len(problems) - _PROBLEMS_SHOWN} more"] if len(problems) > _PROBLEMS_SHOWN else []
    return CheckResult(name, otherwise, expected, "; ".join([*problems[:_PROBLEMS_SHOWN], *more]))
