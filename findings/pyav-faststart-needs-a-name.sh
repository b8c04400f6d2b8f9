#!/usr/bin/env bash
# PyAV 18.1.0: an MP4 with its index in front can't be made in memory, and the error comes at the end of the film.
#
# `movflags=+faststart` moves the index to the front, so that a browser plays the film while it loads. For this FFmpeg
# opens the output a second time by its name, which an object in memory does not have. All frames are taken, and only
# `close` fails. In a file with a name it works. Without the option it works in memory, too.
#
# Seen on Python 3.11:
#   memory, faststart  FileNotFoundError at close
#   file, faststart    index before the frames
#   memory, default    index behind the frames
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check av==18.1.0 numpy==2.3.5
cat > "$folder/see.py" <<'PYTHON'
import sys
from io import BytesIO
from pathlib import Path

import av
import numpy as np

EXPECTED = {
    "memory, faststart": "FileNotFoundError at close",
    "file, faststart": "index before the frames",
    "memory, default": "index behind the frames",
}
FASTSTART = {"movflags": "+faststart"}


def film(output, options) -> str:
    container = av.open(output, "w", format="mp4", options=options)
    stream = container.add_stream("mpeg4", rate=10)
    stream.width = stream.height = 64
    for shade in range(10):
        frame = av.VideoFrame.from_ndarray(np.full((64, 64, 3), shade, np.uint8))
        container.mux(stream.encode(frame))
    container.mux(stream.encode())
    try:
        container.close()
    except OSError as error:
        return f"{type(error).__name__} at close"
    data = output.getvalue() if isinstance(output, BytesIO) else Path(output).read_bytes()
    return f"index {'before' if data.index(b'moov') < data.index(b'mdat') else 'behind'} the frames"


found = {
    "memory, faststart": film(BytesIO(), FASTSTART),
    "file, faststart": film(str(Path(sys.argv[1]) / "film.mp4"), FASTSTART),
    "memory, default": film(BytesIO(), {}),
}
for kind, seen in found.items():
    print(f"{kind:18} {seen}")
sys.exit(found != EXPECTED)
PYTHON
"$folder/venv/bin/python" "$folder/see.py" "$folder"
