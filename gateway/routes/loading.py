"""The routes of a file, with the weights of the files that it names."""

from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from battlesnake_search.common import toml
from battlesnake_search.common.toml import FieldError
from gateway.routes.config import DEFAULT_PATH, Play, Routes, SnakeRoute, Variant, default_snake
from gateway.routes.looks import Looks
from gateway.routes.weights import weights_in

_AnyPlay = TypeVar("_AnyPlay", bound=Play)
_AnyVariant = TypeVar("_AnyVariant", bound=Variant)


def load(
    file: Path | None, strategy: str, reserved: Collection[str] = (), looks: Looks | None = None
) -> Routes:
    """Load the routes of a file, if any; unless it has a snake at /, add one with this strategy and looks.

    `reserved` are the gateway's own paths, which no snake may have. Raises OSError if the file can't be read,
    and TomlError with the line and the field if it is invalid.
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
    """Return a way to play with the weights of its file; those given by name take precedence."""
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
