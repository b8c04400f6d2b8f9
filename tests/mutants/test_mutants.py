"""Mutation testing itself, on a small project with a good test and a weak one."""

import subprocess
from pathlib import Path

import pytest

from tests.mutants.run import Copy, FailingTestsError, files_for
from tests.mutants.sample import Mutant, draw, mutants_of

FILE = "access/rates.py"

CODE = '''"""A limit."""

from dataclasses import dataclass

PATIENCE = 3.5

Number = int | float


@dataclass(frozen=True)
class Limit:
    """A limit."""

    most: int | None

    def is_reached(self, calls: int | float) -> bool:
        """Return whether so many calls are too many."""
        return self.most is not None and calls >= self.most
'''

GOOD = """
from access.rates import Limit

def test_limit():
    assert [Limit(3).is_reached(calls) for calls in (2, 3, 4)] == [False, True, True]
    assert not Limit(None).is_reached(9)
"""

WEAK = """
from access.rates import Limit

def test_limit():
    assert Limit(3).is_reached(4)
"""

WRONG = """
def test_limit():
    assert False
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return the folder of a project without tests."""
    root = tmp_path / "project"
    for name, text in {FILE: CODE, "pytest.ini": "[pytest]\npythonpath = .\n"}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "tests" / "access").mkdir(parents=True)
    (root / ".cache").mkdir()
    subprocess.run(("git", "init", "-q", root), check=True)
    return root


def noticed(project: Path, test: str, mutant: Mutant) -> bool:
    """Return whether a test of the project notices a change."""
    (project / "tests" / "access" / "test_rates.py").write_text(test)
    copy = Copy(project)
    try:
        return copy.notices(mutant)
    finally:
        copy.remove()


def change(becomes: str) -> Mutant:
    """Return the change that puts a text into the code."""
    return next(mutant for mutant in mutants_of(FILE, CODE) if becomes in mutant.apply(CODE))


def test_a_good_test_notices_what_a_weak_one_does_not(project: Path) -> None:
    """A limit that is reached a call too late goes unnoticed unless a test asks at the limit."""
    late = change("calls > self.most")
    assert noticed(project, GOOD, late)
    assert not noticed(project, WEAK, late)
    assert (project / FILE).read_text() == CODE


def test_tests_that_fail_anyway_notice_nothing(project: Path) -> None:
    """The error names them."""
    with pytest.raises(FailingTestsError, match=r"tests/access/test_rates\.py"):
        noticed(project, WRONG, change("calls > self.most"))


def test_the_tests_of_a_file_are_those_that_mirror_it_or_import_it(project: Path) -> None:
    """Those of its package run after them."""
    (project / "tests" / "test_all.py").write_text(GOOD)
    assert files_for(project, FILE) == ([], ["tests/test_all.py"])
    for name in ("test_rates.py", "test_others.py"):
        (project / "tests" / "access" / name).touch()
    assert files_for(project, FILE) == (["tests/access/test_rates.py"], ["tests/access/test_others.py"])


def test_only_behaviour_is_changed() -> None:
    """Annotations, types, tuned constants and the kind of a record stay as they are."""
    lines = CODE.splitlines()
    changed = {lines[mutant.place[0] - 1].strip() for mutant in mutants_of(FILE, CODE)}
    assert changed == {"return self.most is not None and calls >= self.most"}


def test_stars_of_arguments_are_no_operators() -> None:
    """What does not compile would be noticed by any test, and say nothing of it."""
    code = "def f(*x, y, **z):\n    return g(*x, **z), list(zip(x, y, strict=True)), x[0] * 3\n"
    code += "click.option(is_flag=True, show_default=True, default=7)\n"
    changed = [mutant.apply(code) for mutant in mutants_of(FILE, code)]
    for text in changed:
        compile(text, FILE, "exec")
    assert any("x[0] / 3" in text for text in changed)
    assert any("is_flag=False" in text for text in changed)
    unchanged = ("strict=True", "show_default=True", "default=7")
    assert all(part in text for part in unchanged for text in changed)


def test_each_change_can_be_made() -> None:
    """Of several errors, those with a dotted name stay as they are, and the others are replaced."""
    code = "try:\n    f()\nexcept (a.Error, ValueError, b.c.Error):\n    pass\n"
    changed = [mutant.apply(code) for mutant in mutants_of(FILE, code)]
    assert len(changed) == 1 and "(a.Error, CosmicRayTestingException, b.c.Error)" in changed[0]


def test_a_sample_is_the_same_for_a_seed_and_has_each_place_once() -> None:
    """Comparisons have many changes, of which one is drawn."""
    mutants = list(mutants_of(FILE, CODE))
    drawn = draw(mutants, 100, seed=1)
    assert drawn == draw(mutants, 100, seed=1)
    assert len(drawn) == len({mutant.place for mutant in drawn}) < len(mutants)
