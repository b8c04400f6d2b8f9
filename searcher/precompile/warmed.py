"""Whether a start would compile anything: asked where containers are built, before they are."""

from collections.abc import Collection

from numba.core import event

from searcher.interface import Strategy
from searcher.parts import Part, all_parts
from searcher.strategies import DEFAULT, faults, offer
from searcher.trials.runner import has_passed


def not_warm(only: Collection[Strategy] = ()) -> list[str]:
    """What a start would compile, or try, or leave out, in words; compiles nothing of it.

    With `only` it is about these strategies and the default one. Loads what lies in the cache: code that is
    there and yet can't be used counts as missing.
    """
    parts = all_parts(only)
    missing = [f"{part} is not compiled" for part in parts if not part.is_cached()]
    useless = [f"{part} is compiled again" for part in parts if part.is_cached() and _compiles(part)]
    untried = [
        f"evaluator {evaluator.name} has not passed its trial"
        for evaluator in offer(only).evaluators.values()
        if evaluator.name != DEFAULT.evaluator and not has_passed(evaluator)
    ]
    return [*map(str, faults()), *missing, *useless, *untried]


def _compiles(part: Part) -> bool:
    """Whether loading the part has to compile something."""
    with event.install_recorder("numba:run_pass") as passes:
        part.load()
    return bool(passes.buffer)
