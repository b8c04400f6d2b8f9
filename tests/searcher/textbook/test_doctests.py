"""The examples in the textbook's docstrings."""

import doctest
import importlib
import pkgutil

import searcher.textbook


def test_examples_hold() -> None:
    """There are examples, and every one prints what its docstring shows."""
    names = [
        module.name for module in pkgutil.walk_packages(searcher.textbook.__path__, "searcher.textbook.")
    ]
    results = {name: doctest.testmod(importlib.import_module(name)) for name in names}
    assert {name: result for name, result in results.items() if result.failed} == {}
    assert sum(result.attempted for result in results.values()) >= 6
