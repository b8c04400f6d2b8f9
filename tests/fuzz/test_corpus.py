"""Inputs that once failed, or that reach what others do not, pass without a fuzzer too."""

from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).with_name("corpus")


@pytest.mark.parametrize("target", TARGETS)
def test_every_known_input_passes(target: str) -> None:
    """The services keep their contract for each file of the corpus."""
    files = sorted((CORPUS / target).iterdir())
    assert files
    for file in files:
        TARGETS[target](file.read_bytes())
