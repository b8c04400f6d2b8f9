#!/usr/bin/env bash
# Pillow 13.0.0: `quantize` with a palette gives a colour another entry, although the palette has exactly this colour.
#
# The look-up divides each channel into cubes of four shades. All colours of a cube get the entry that is nearest to the
# darkest corner of the cube. So of two entries in one cube, the darker one is chosen for both.
#
# Seen on Python 3.11; a palette of #fcfdfd and #ffffff, dither off:
#   #ffffff becomes #fcfdfd
#   #fcfdfd becomes #fcfdfd
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pillow==13.0.0
cat > "$folder/see.py" <<'PYTHON'
import sys

from PIL import Image

EXPECTED = {"#ffffff": "#fcfdfd", "#fcfdfd": "#fcfdfd"}

palette = Image.new("P", (1, 1))
palette.putpalette([0xFC, 0xFD, 0xFD, 0xFF, 0xFF, 0xFF])
found = {}
for colour in EXPECTED:
    image = Image.new("RGB", (4, 4), colour).quantize(palette=palette, dither=Image.Dither.NONE)
    ((_, seen),) = image.convert("RGB").getcolors()
    found[colour] = "#{:02x}{:02x}{:02x}".format(*seen)
    print(f"{colour} becomes {found[colour]}")
sys.exit(found != EXPECTED)
PYTHON
"$folder/venv/bin/python" "$folder/see.py"
