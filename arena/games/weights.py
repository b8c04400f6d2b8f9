"""Files of weights, in TOML, as tuning writes and entrants read them."""

from pathlib import Path

import msgspec
import tomli_w

from searcher.tools.weights import WeightsFile as WeightsFile
from searcher.tools.weights import read_weights as read_weights


def write_weights(path: Path, weights: WeightsFile) -> None:
    """Replace the file atomically. Raises OSError if that fails."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(tomli_w.dumps(msgspec.to_builtins(weights)), encoding="utf-8")
    new.replace(path)
