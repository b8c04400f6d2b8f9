#!/usr/bin/env bash
# msgspec 0.22.0: a Counter is written as a JSON object, and can't be read back.
#
# msgspec encodes `collections.Counter`, like any subclass of dict, without a hook. Its JSON is an ordinary object.
# A decoder of the same type can be made without an error. But it refuses every input, even the text that msgspec has
# just written, with a ValidationError that blames the input ("Expected `Counter`, got `dict`"). `defaultdict`
# behaves in the same way. So a value that is counted in one process and sent to another needs the type
# `dict[str, int]`, or a dec_hook.
#
# Seen on Python 3.11:
#   written: b'{"up":2,"left":1}'
#   Counter: decoder made, then ValidationError: Expected `Counter`, got `dict`
#   defaultdict: decoder made, then ValidationError: Expected `collections.defaultdict`, got `dict`
#   dict: read {'up': 2, 'left': 1}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check msgspec==0.22.0
"$folder/venv/bin/python" - <<'PYTHON'
from collections import Counter, defaultdict

import msgspec

written = msgspec.json.encode(Counter(["up", "left", "up"]))
print("written:", written)
assert written == b'{"up":2,"left":1}', "the text of a Counter has changed"
for kind in (Counter[str], defaultdict[str, int]):
    name = kind.__origin__.__name__
    decoder = msgspec.json.Decoder(kind)
    try:
        found = decoder.decode(written)
    except msgspec.ValidationError as error:
        print(f"{name}: decoder made, then ValidationError: {error}")
        assert "got `dict`" in str(error), "the error has changed"
    else:
        raise SystemExit(f"{name} is read now: {found!r}")
print("dict: read", msgspec.json.decode(written, type=dict[str, int]))
PYTHON
