"""Fuzzes one target, or runs it on files: python -m tests.fuzz.run TARGET [FLAG | FOLDER | FILE]...

Flags are those of libFuzzer.
"""

import logging
import sys

import atheris

from battlesnake_search.common.logs import silence

with atheris.instrument_imports(
    include=["battlesnake_search", "gateway", "searcher.errors", "searcher.serving"]
):
    from tests.fuzz import targets

from tests.fuzz.mutators import mutate_json

STRUCTURED = ("body", "gateway")
"""The targets whose inputs are JSON."""


def _mutate(data: bytes, most: int, seed: int) -> bytes:
    return mutate_json(data, most, seed, atheris.Mutate)


def main() -> None:
    """Fuzz until libFuzzer's flags say stop, or until an input fails."""
    name, *arguments = sys.argv[1:]
    # What is refused is logged, and nobody reads it here.
    silence()
    logging.disable()
    mutator = {"custom_mutator": _mutate} if name in STRUCTURED else {}
    atheris.Setup([sys.argv[0], *arguments], targets.TARGETS[name], **mutator)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
