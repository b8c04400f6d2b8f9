"""The outcomes of trials: a fault, a notice about an evaluator that passes, or nothing to report."""

import msgspec

from searcher.plugins.faults import Fault


class Notice(msgspec.Struct, frozen=True):
    """What the author of an evaluator should know although it passes its trial."""

    evaluator: str
    warning: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"evaluator {self.evaluator} runs, but {self.warning} ({self.file}:{self.line})"


TrialOutcome = Fault | Notice | None
"""None if there is nothing to report about the evaluator."""
