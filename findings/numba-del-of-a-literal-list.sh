#!/usr/bin/env bash
# Numba 0.68.1: `del` in a list that was written as a literal ends the compiler with an AssertionError without a text.
#
# A list that grows from an empty one can lose an entry. The type of a literal list differs from the type of its
# deletion, and the check of this is an assertion, so the author of the function gets no reason and no line. `pop` works.
#
# Seen on Python 3.11:
#   literal, del   AssertionError without a text
#   appended, del  [2]
#   literal, pop   [2]
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numba==0.68.1
cat > "$folder/see.py" <<'PYTHON'
import sys

from numba import njit

EXPECTED = {"literal, del": "AssertionError without a text", "appended, del": "[2]", "literal, pop": "[2]"}


@njit
def literal_del():
    values = [1, 2]
    del values[0]
    return values


@njit
def appended_del():
    values = []
    values.append(1)
    values.append(2)
    del values[0]
    return values


@njit
def literal_pop():
    values = [1, 2]
    values.pop(0)
    return values


def seen(function) -> str:
    try:
        return str(list(function()))
    except AssertionError as error:
        return f"{type(error).__name__} {'with' if str(error) else 'without'} a text"


functions = (literal_del, appended_del, literal_pop)
found = {kind: seen(function) for kind, function in zip(EXPECTED, functions, strict=True)}
for kind, each in found.items():
    print(f"{kind:14} {each}")
sys.exit(found != EXPECTED)
PYTHON
"$folder/venv/bin/python" "$folder/see.py"
