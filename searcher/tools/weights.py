"""Weights of evaluators as users write them: in an option, or in a TOML file.

evaluator = "balanced"

[weights]
area = 1.2
"""

from pathlib import Path

import msgspec

from battlesnake_search.common import toml


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a weights file: the evaluator, and each weight that differs from its default."""

    evaluator: str
    weights: dict[str, float]


def read_weights(path: Path) -> WeightsFile:
    """Return the weights in a file, with unchecked names. Raises ValueError with the file and the field."""
    try:
        return toml.read(path, WeightsFile)
    except toml.TomlError as error:
        raise ValueError(f"{path} is not a file of weights: {error}") from None


def parse_weights(text: str, evaluator: str) -> dict[str, float]:
    """Return the weights written as name=value,name=value, or in the file of this path.

    Names and bounds are not checked. Raises ValueError for a malformed text, or a file of another evaluator.
    """
    if "=" in text:
        return _parse_pairs(text)
    if not Path(text).is_file():
        raise ValueError(f"--weights: {text!r} is neither name=value,name=value nor a file of weights")
    found = read_weights(Path(text))
    if found.evaluator != evaluator:
        raise ValueError(f"{text} has weights of {found.evaluator}, not of {evaluator}")
    return found.weights


def _parse_pairs(text: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for pair in text.split(","):
        name, _, value = pair.partition("=")
        if name in weights:
            raise ValueError(f"--weights: {name} is given twice")
        try:
            weights[name] = float(value)
        except ValueError:
            raise ValueError(f"--weights: {pair!r} is not of the form name=number") from None
    return weights
