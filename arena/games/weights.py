"""Files of weights, in TOML: which evaluator they are for, and a number for each that is not its default.

evaluator = "balanced"

[weights]
area = 1.2
"""

from pathlib import Path

import msgspec


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What such a file holds."""

    evaluator: str
    weights: dict[str, float]


def read_weights(path: Path) -> WeightsFile:
    """The weights in a file; names are not checked. Raises ValueError, naming file and field."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=WeightsFile)
    except OSError as error:
        raise ValueError(f"weights can't be read from {path}: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not a file of weights: {error}") from None


def write_weights(path: Path, weights: WeightsFile) -> None:
    """Replaces the file as a whole. Raises OSError."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(msgspec.toml.encode(weights))
    beside.replace(path)
