"""The table of bounds in docs/security.md, and the tests of its inputs."""

import importlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tests.docs.pages import ROOT

_PAGE = ROOT / "docs" / "security.md"
_HEADING = "\n## Bounds\n"
_CODE = re.compile(r"\[`(\w+(?:\.\w+)?)`\]\(\.\./([\w/]+)\.py\)")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Bound:
    """A row: the input, the bound as the page states it, and the constant that the code holds."""

    text: str
    stated: float
    name: str
    module: str

    @property
    def value(self) -> Any:
        """The value in the code. A name with a dot is of a field's default."""
        held: Any = importlib.import_module(self.module)
        for part in self.name.split("."):
            held = getattr(held, part)
        return held


def rows() -> list[Bound]:
    """Return the rows of the table. Each has a number and one constant, except those that name a port."""
    section = _PAGE.read_text().partition(_HEADING)[2].partition("\n## ")[0]
    cells = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    return [_row([cell.strip() for cell in row]) for row in cells[1:] if "**" not in row[0]]


def _row(cells: list[str]) -> Bound:
    text, bound, _, held = cells
    number, code = _NUMBER.search(bound), _CODE.search(held)
    assert number and code, cells
    return Bound(text, float(number[0].replace(",", "")), code[1], code[2].replace("/", "."))


Probe = Callable[[Any], Awaitable[None]]
"""A test of an input at its bound, which is taken, and one step beyond it, which is not."""

PROBES: dict[str, Probe] = {}
"""The tests by the modules and names of their constants. The modules of tests.docs.probes add them."""


def probe(name: str) -> Callable[[Probe], Probe]:
    """Register the test of a constant, by its module and name."""

    def register(function: Probe) -> Probe:
        PROBES[name] = function
        return function

    return register


TESTED: dict[str, Callable[..., Any]] = {}
"""Tests in other folders that are such tests already, by the same names."""


def tested(name: str, test: Callable[..., Any]) -> None:
    """Register a test in another folder as the test of a constant."""
    TESTED[name] = test
