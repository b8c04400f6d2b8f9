"""What the checks found out about a snake."""

from collections.abc import Sequence
from typing import Literal

import msgspec

Outcome = Literal["pass", "warn", "fail"]
"""warn: the official engine plays on with it, or it merely costs something."""

_SHOWN = 3


class CheckResult(msgspec.Struct, frozen=True):
    """The outcome of one check, with a sentence on what was expected and one on what came."""

    name: str
    outcome: Outcome
    expected: str
    came: str


class Report(msgspec.Struct, frozen=True):
    """All results on the snake at a URL. `timeout` is in milliseconds."""

    url: str
    timeout: int
    results: tuple[CheckResult, ...] = msgspec.field(name="verdicts")

    def count(self, outcome: Outcome) -> int:
        """How many checks ended so."""
        return sum(result.outcome == outcome for result in self.results)


def result_of(
    name: str, expected: str, problems: Sequence[str], fine: str, otherwise: Outcome = "fail"
) -> CheckResult:
    """Pass, with `fine` as what came, if there are no problems; else `otherwise`, with the first ones."""
    if not problems:
        return CheckResult(name, "pass", expected, fine)
    more = [f"and {len(problems) - _SHOWN} more"] if len(problems) > _SHOWN else []
    return CheckResult(name, otherwise, expected, "; ".join([*problems[:_SHOWN], *more]))
