"""Files of weights, in TOML: the evaluator that they are for, and each weight that differs from its default.

evaluator = "balanced"

[weights]
area = 1.2
"""

from pathlib import Path

import msgspec
import tomli_w


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a weights file."""

    evaluator: str
    weights: dict[str, float]


def read_weights(path: Path) -> WeightsFile:
    """Return the weights in a file; names are not checked. Raises ValueError, naming file and field."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=WeightsFile)
    except OSError as error:
        raise ValueError(f"weights can't be read from {path}: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not a file of weights: {error}") from None


def write_weights(path: Path, weights: WeightsFile) -> None:
    """Replace the file atomically. Raises OSError if that fails."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(tomli_w.dumps(msgspec.to_builtins(weights)), encoding="utf-8")
    new.replace(path)
