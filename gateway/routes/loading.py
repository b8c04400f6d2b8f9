"""The routes of a file, with the weights of the files that it names."""

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from battlesnake_search.common import toml
from battlesnake_search.common.toml import FieldError
from battlesnake_search.contract.limits import FALLBACK_EVALUATOR
from battlesnake_search.plan import AUTO
from battlesnake_search.translate import parse_strategy
from gateway.routes.config import (
    DEFAULT_PATH,
    EvaluatorWeight,
    Play,
    Routes,
    SnakeRoute,
    Variant,
    default_snake,
)
from gateway.routes.looks import Looks

_AnyPlay = TypeVar("_AnyPlay", bound=Play)
_AnyVariant = TypeVar("_AnyVariant", bound=Variant)


def load(
    file: Path | None, strategy: str, reserved: Collection[str] = (), looks: Looks | None = None
) -> Routes:
    """Load the routes of a file, if any. If no snake is at /, add one with this strategy and looks.

    `reserved` are the gateway's own paths. Snakes must have other paths. Raises OSError if the file can't be
    read, and TomlError with the field if it is invalid.
    """
    routes = Routes()
    if file:
        routes = toml.decode(file.read_bytes(), Routes, partial(_finished, file.parent, reserved))
    if routes.snake(DEFAULT_PATH):
        return routes
    return msgspec.structs.replace(routes, snakes=[*routes.snakes, default_snake(strategy, looks)])


def _finished(folder: Path, reserved: Collection[str], routes: Routes) -> Routes:
    """Return routes with the weights of files in a folder. Raises FieldError, also for a reserved path."""
    _check_paths(routes, reserved)
    snakes = [_with_weights(snake, f"snakes[{index}]", folder) for index, snake in enumerate(routes.snakes)]
    return msgspec.structs.replace(routes, snakes=snakes)


def _with_weights(snake: SnakeRoute, place: str, folder: Path) -> SnakeRoute:
    arms = [_weighted(arm, f"{place}.arms[{index}]", folder) for index, arm in enumerate(snake.arms)]
    shadows = [
        _weighted(shadow, f"{place}.shadows[{index}]", folder) for index, shadow in enumerate(snake.shadows)
    ]
    return msgspec.structs.replace(snake, arms=arms, shadows=shadows)


def _weighted(variant: _AnyVariant, place: str, folder: Path) -> _AnyVariant:
    own = variant.strategy or ""
    when = [
        _read(case, case.strategy or own, f"{place}.when[{index}]", folder)
        for index, case in enumerate(variant.when)
    ]
    return msgspec.structs.replace(_read(variant, own, place, folder), when=when)


def _read(play: _AnyPlay, strategy: str, place: str, folder: Path) -> _AnyPlay:
    """Return a way to play with the weights of its file; weights given by name take precedence."""
    if play.weights_file is None:
        return play
    try:
        found = weights_in(folder / play.weights_file, strategy)
    except FieldError as error:
        raise FieldError(f"{place}.{error.field}", str(error)) from error
    weights = {**found, **(play.evaluator_weights or {})}
    return msgspec.structs.replace(play, evaluator_weights=weights, weights_file=None)


def _check_paths(routes: Routes, reserved: Collection[str]) -> None:
    """Raise FieldError if a snake has a reserved path."""
    for index, snake in enumerate(routes.snakes):
        if snake.path in reserved:
            raise FieldError(f"snakes[{index}].path", f"{snake.path} is one of the gateway's own paths")


class _WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    evaluator: str
    weights: dict[str, EvaluatorWeight]


def weights_in(file: Path, strategy: str) -> Mapping[str, float]:
    """Return the weights in a file for a strategy.

    Raises FieldError, of the field `weights_file`, if the file can't be read or is for another evaluator.
    """
    try:
        found = toml.decode(file.read_bytes(), _WeightsFile)
    except OSError as error:
        raise FieldError("weights_file", f"{file} can't be read: {error.strerror}") from error
    except toml.TomlError as error:
        raise FieldError("weights_file", f"{file}, {error}") from error
    if strategy == AUTO:
        raise FieldError("weights_file", f"{AUTO} has no weights: it chooses the evaluator")
    evaluator = parse_strategy(strategy).evaluator or FALLBACK_EVALUATOR
    if found.evaluator != evaluator:
        raise FieldError("weights_file", f"{file} has weights of {found.evaluator}, not of {evaluator}")
    return found.weights
