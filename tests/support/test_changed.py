"""The tests that mirror changed files."""

from tests.support.changed import ARCHITECTURE, PAGES, changed_files, mirrors_of


def test_a_module_has_its_test_file() -> None:
    """A file without its own test has the tests of its folder."""
    assert mirrors_of(["gateway/play/budget.py"]) == ["tests/gateway/play/test_budget.py", ARCHITECTURE]
    assert "tests/gateway/play/test_budget.py" in mirrors_of(["gateway/play/__init__.py"])
    assert "tests/support/test_games.py" in mirrors_of(["tests/support/http.py"])


def test_a_page_is_checked_and_a_deleted_test_is_not_run() -> None:
    """Other files, like pictures, have no tests."""
    assert mirrors_of(["docs/search.md"]) == sorted(PAGES)
    assert mirrors_of(["tests/gateway/test_deleted.py"]) == [ARCHITECTURE]
    assert mirrors_of(["docs/images/board.svg"]) == []


def test_the_files_come_from_git() -> None:
    """Every path is one of the checkout."""
    assert all(not path.startswith("/") for path in changed_files())
