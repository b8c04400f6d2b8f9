"""Explanations of single errors. Evaluators with these mistakes are in tests/searcher/trials/faulty.py."""

import pytest

from searcher.plugins.mistakes import explanation, import_explanation, nearest
from searcher.strategies import evaluators

AREA = evaluators()["area"]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (NameError("name 'HUNGER' is not defined"), "nearest: HUNGER"),
        (NameError("name 'Hungre' is not defined"), "nearest: HUNGER"),
        (NameError("name 'xyzzy' is not defined"), "name 'xyzzy' is not defined"),
        (AttributeError("module 'math' has no attribute 'sqr'"), "math has no 'sqr'; nearest: sqrt"),
        (
            TypeError("Unknown attribute 'pow' of type Module(<module 'math' (built-in)>)"),
            "can't call math.pow",
        ),
        (ValueError("anything else"), ""),
        (KeyError("a key of the author's own"), ""),
    ],
)
def test_an_explanation_names_the_nearest_names(error: Exception, words: str) -> None:
    """Errors that have nothing to do with a wrong name have no explanation."""
    found = explanation(AREA, error)
    assert words in found
    assert bool(words) == bool(found)


def test_a_failed_import_names_the_nearest_names() -> None:
    """Only imports of a name from a module that is loaded have an explanation."""
    wrong = ImportError("cannot import name 'reech' from 'searcher.toolkit' (/x/toolkit.py)")
    assert import_explanation(wrong) == "searcher.toolkit has no 'reech'; nearest: reach"
    assert not import_explanation(ImportError("cannot import name 'x' from 'not.loaded' (/x)"))
    assert not import_explanation(ValueError("cannot import name 'reech' from 'searcher.toolkit' (/x)"))


def test_the_nearest_name_has_the_case_of_the_wrong_one() -> None:
    """An index in capitals and a variable may have the same letters."""
    for names in (["SHARE", "share"], ["share", "SHARE"]):
        assert nearest("SHAER", names) == "; nearest: SHARE"
        assert nearest("shaer", names) == "; nearest: share"
