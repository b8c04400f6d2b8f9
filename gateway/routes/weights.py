"""Weights of evaluators in files of their own, as `python -m arena fit` and `tune` write them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec

from battlesnake_search.common import toml
from battlesnake_search.common.toml import FieldError
from battlesnake_search.plan import AUTO
from battlesnake_search.translate import parse_strategy

EvaluatorWeight = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]

_FALLBACK = "balanced"
"""The evaluator that searchers take if a strategy names none, as the contract says."""


class _WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    evaluator: str
    weights: dict[str, EvaluatorWeight]


def weights_in(file: Path, strategy: str) -> Mapping[str, float]:
    """Return the weights in a file for a strategy.

    Raises FieldError, of the field `weights_file`, if it can't be read or is for another evaluator.
    """
    try:
        found = toml.decode(file.read_bytes(), _WeightsFile)
    except OSError as error:
        raise FieldError("weights_file", f"{file} can't be read: {error.strerror}") from error
    except toml.TomlError as error:
        raise FieldError("weights_file", f"{file}, {error}") from error
    if strategy == AUTO:
        raise FieldError("weights_file", f"{AUTO} has no weights: it chooses the evaluator")
    evaluator = parse_strategy(strategy).evaluator or _FALLBACK
    if found.evaluator != evaluator:
        raise FieldError("weights_file", f"{file} has weights of {found.evaluator}, not of {evaluator}")
    return found.weights
