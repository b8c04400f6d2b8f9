"""The routes of a file, with the weights of the files that it names."""

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import force_setattr

from battlesnake_search.common import toml
from battlesnake_search.common.toml import FieldError
from battlesnake_search.contract.limits import FALLBACK_EVALUATOR
from battlesnake_search.plan import AUTO
from battlesnake_search.translate import parse_strategy
from gateway.routes.config import DEFAULT_PATH, EvaluatorWeight, Play, Routes, default_snake
from gateway.routes.looks import Looks


def load(
    file: Path | None, strategy: str, reserved: Collection[str] = (), looks: Looks | None = None
) -> Routes:
    """Load the routes of a file, if any. If no snake is at /, add one with this strategy and looks.

    `reserved` are the gateway's own paths. Snakes must have other paths. Raises TomlError if the file can't
    be read, or with the invalid field.
    """
    routes = Routes()
    if file:
        routes = toml.read(file, Routes, partial(_finish, file.parent, reserved))
    if routes.snake(DEFAULT_PATH):
        return routes
    return msgspec.structs.replace(routes, snakes=[*routes.snakes, default_snake(strategy, looks)])


def _finish(folder: Path, reserved: Collection[str], routes: Routes) -> None:
    """Replace each `weights_file`, relative to `folder`, by its weights.

    Raises FieldError, also for a reserved path.
    """
    for index, snake in enumerate(routes.snakes):
        if snake.path in reserved:
            raise FieldError(f"snakes[{index}].path", f"{snake.path} is one of the gateway's own paths")
    for place, play, strategy in _plays(routes):
        if play.weights_file is None:
            continue
        try:
            found = weights_in(folder / play.weights_file, strategy)
        except FieldError as error:
            raise FieldError(f"{place}.{error.field}", str(error)) from error
        # Weights given by name take precedence.
        force_setattr(play, "evaluator_weights", {**found, **(play.evaluator_weights or {})})
        force_setattr(play, "weights_file", None)


def _plays(routes: Routes) -> Iterator[tuple[str, Play, str]]:
    """Yield each arm, shadow and condition, with its place in the file and its strategy."""
    for index, snake in enumerate(routes.snakes):
        arms = [(f"snakes[{index}].arms[{number}]", arm) for number, arm in enumerate(snake.arms)]
        shadows = [(f"snakes[{index}].shadows[{number}]", one) for number, one in enumerate(snake.shadows)]
        for place, variant in (*arms, *shadows):
            own = variant.strategy or ""
            yield place, variant, own
            for number, case in enumerate(variant.when):
                yield f"{place}.when[{number}]", case, case.strategy or own


class _WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    evaluator: str
    weights: dict[str, EvaluatorWeight]


def weights_in(file: Path, strategy: str) -> Mapping[str, float]:
    """Return the weights in a file for a strategy.

    Raises FieldError, of the field `weights_file`, if the file can't be read or is for another evaluator.
    """
    try:
        found = toml.read(file, _WeightsFile)
    except toml.TomlError as error:
        raise FieldError("weights_file", f"{file}: {error}") from error
    if strategy == AUTO:
        raise FieldError("weights_file", f"{AUTO} has no weights: it chooses the evaluator")
    evaluator = parse_strategy(strategy).evaluator or FALLBACK_EVALUATOR
    if found.evaluator != evaluator:
        raise FieldError("weights_file", f"{file} has weights of {found.evaluator}, not of {evaluator}")
    return found.weights
