"""Fuzzes one target, or runs it on files: python -m tests.fuzz.run TARGET [FLAG | FOLDER | FILE]...

Flags are those of libFuzzer.
"""

import logging
import sys

from battlesnake_search.common.logs import silence

STRUCTURED = ("body", "gateway")
"""The targets whose inputs are JSON."""


def main() -> None:
    """Fuzz until libFuzzer's flags say stop, or until an input fails."""
    # The commands of the docs are read without what fuzzing needs.
    import atheris

    with atheris.instrument_imports(
        include=["battlesnake_search", "console", "gateway", "searcher.errors", "searcher.serving"]
    ):
        from tests.fuzz import targets
    from tests.fuzz.mutators import mutate_json

    name, *arguments = sys.argv[1:]
    # What is refused is logged, and nobody reads it here.
    silence()
    logging.disable()
    mutator = {}
    if name in STRUCTURED:
        mutator["custom_mutator"] = lambda data, most, seed: mutate_json(data, most, seed, atheris.Mutate)
    atheris.Setup([sys.argv[0], *arguments], targets.TARGETS[name], **mutator)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
