"""What the checks found out about a snake."""

from collections.abc import Sequence
from typing import Literal

import msgspec

Outcome = Literal["pass", "warn", "fail"]
"""warn: the official engine plays on with it, or it merely costs something."""

_SHOWN = 3


class Verdict(msgspec.Struct, frozen=True):
    """The outcome of one check, with a sentence on what was expected and one on what came."""

    name: str
    outcome: Outcome
    expected: str
    came: str


class Report(msgspec.Struct, frozen=True):
    """All verdicts on the snake at a URL. `timeout` is in milliseconds."""

    url: str
    timeout: int
    verdicts: tuple[Verdict, ...]

    def count(self, outcome: Outcome) -> int:
        """How many checks ended so."""
        return sum(verdict.outcome == outcome for verdict in self.verdicts)


def judge(
    name: str, expected: str, problems: Sequence[str], fine: str, otherwise: Outcome = "fail"
) -> Verdict:
    """Pass, with `fine` as what came, if there are no problems; else `otherwise`, with the first ones."""
    if not problems:
        return Verdict(name, "pass", expected, fine)
    more = [f"and {len(problems) - _SHOWN} more"] if len(problems) > _SHOWN else []
    return Verdict(name, otherwise, expected, "; ".join([*problems[:_SHOWN], *more]))
