"""Translation of protobuf messages to and from the engine's values. Only this file imports both.

A request is checked as a whole. InvalidRequestError names every invalid field and its valid values.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice

from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.contract.limits import MAX_SIDE, MAX_SNAKES
from battlesnake_search.contract.rulesets import RULESETS
from searcher.engine.position import MAX_HEALTH, Direction, Point, Position, Ruleset, Snake, ruleset_on
from searcher.engine.result import JointMove, Limits, Outcome, Result, RootMove, Scores
from searcher.engine.search.state import MAX_DEPTH
from searcher.errors import (
    MOST_VIOLATIONS,
    InvalidRequestError,
    UnavailableError,
    Violations,
    quoted,
    valid_names,
)
from searcher.interface import (
    Evaluator,
    Offer,
    Strategy,
    StrategyChoice,
    Task,
    complete_strategy,
)
from searcher.strategies import AUTO_NAME

MAX_THREADS = 64
"""The largest number of threads that a request may have."""

_MAX_NODES = 1 << 60
"""The largest node limit passed on: more than any search reaches, and well within the engine's integers."""

_BOARD = "position.board"

DIRECTIONS = {
    pb.DIRECTION_UP: Direction.UP,
    pb.DIRECTION_DOWN: Direction.DOWN,
    pb.DIRECTION_LEFT: Direction.LEFT,
    pb.DIRECTION_RIGHT: Direction.RIGHT,
}
_DIRECTIONS_OUT = {move: value for value, move in DIRECTIONS.items()}


UNFOLDING = 2
"""The largest number of parts besides the tail on the tail's cell: a snake starts with three parts there."""


@dataclass(frozen=True, slots=True)
class BoardExtent:
    """The cells of a board that bodies may cover.

    A side of less than 1 is a separate violation and sets no bound here.
    """

    width: int
    height: int
    wrapped: bool

    def holds(self, point: Point) -> bool:
        """Return whether the point is on the board."""
        x, y = point
        return (
            x >= 0 and y >= 0 and (x < self.width or self.width < 1) and (y < self.height or self.height < 1)
        )

    def joins(self, one: Point, other: Point) -> bool:
        """Return whether two points share an edge, across the seams of a wrapped board too."""
        dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
        if self.wrapped:
            dx, dy = _around(dx, self.width), _around(dy, self.height)
        return dx + dy == 1

    @property
    def cells(self) -> int:
        """The number of cells, for a side of an invalid length the number with the nearest valid one."""
        return max(1, min(self.width, MAX_SIDE)) * max(1, min(self.height, MAX_SIDE))

    @property
    def most_parts(self) -> int:
        """The longest possible body, in parts."""
        return self.cells + UNFOLDING

    def __str__(self) -> str:
        return f"{self.width}x{self.height} board"


def _around(distance: int, side: int) -> int:
    return min(distance, side - distance) if distance < side else distance


def body_faults(body: Sequence[Point], extent: BoardExtent) -> Iterator[tuple[int, str]]:
    """Yield the index of each invalid part of a body, head first, with the reason.

    Parts may share a cell only at the tail, where new parts unfold.
    """
    unfolding_from = next((index for index, part in enumerate(body) if part == body[-1]), 0)
    for index, part in enumerate(body):
        before = body[index - 1]
        if not extent.holds(part):
            yield index, f"{part} is off the {extent}"
        elif index == 0 or (part == before and index > unfolding_from):
            continue
        elif part == before:
            yield index, "is on the cell of the part before it; only parts that unfold at the tail may be"
        elif not extent.joins(part, before):
            yield index, f"{part} is not next to the part before it, {before}"


def shared_cells(bodies: Sequence[Sequence[Point]]) -> Iterator[tuple[int, int, str]]:
    """Yield each part on the cell of an earlier part of any body, as the snake, the part and the reason."""
    owners: dict[Point, tuple[int, int]] = {}
    for snake, body in enumerate(bodies):
        for index, part in enumerate(body):
            if index and part == body[index - 1]:
                continue
            if part in owners:
                other, at = owners[part]
                yield snake, index, f"{part} is also the cell of snakes[{other}].body[{at}]"
            else:
                owners[part] = snake, index


@dataclass(frozen=True, slots=True)
class Terms:
    """The parts of a request that hold for any position."""

    choice: StrategyChoice
    limits: Limits
    time: float | None
    takes_idle: bool


def task_of(request: pb.SearchRequest | pb.StreamSearchRequest, offer: Offer) -> Task:
    """Return the task of a request.

    Raises InvalidRequestError with every violation, and UnavailableError for a faulty evaluator.
    """
    violations = Violations()
    position = position_of(request.position, violations)
    terms = terms_of(request.strategy, request.limits, offer, violations)
    if violations or terms is None:
        raise InvalidRequestError(violations)
    return task_on(position, terms, offer)


def terms_of(strategy: pb.Strategy, limits: pb.Limits, offer: Offer, violations: Violations) -> Terms | None:
    """Return the terms of these messages, or None without a valid strategy, and add the violations.

    Raises UnavailableError for a faulty evaluator.
    """
    if fault := offer.faults.get(strategy.evaluator):
        raise UnavailableError(f"evaluator {strategy.evaluator} can't play: {fault}")
    choice = _choice_of(strategy, offer, violations)
    found, time = _limits_of(limits, violations), _time_of(limits, violations)
    # With a limit of depth or nodes the answer repeats, and with helpers it would not.
    takes_idle = not limits.threads and found.depth is None and found.nodes is None
    return None if choice is None else Terms(choice, found, time, takes_idle)


def task_on(position: Position, terms: Terms, offer: Offer) -> Task:
    """Return the task to search a position. The terms of the request must be valid."""
    strategy = terms.choice.for_position(position)
    code_digest = offer.evaluators[strategy.evaluator].code_digest
    digest = terms.choice.choice_digest
    return Task(position, strategy, terms.limits, terms.time, terms.takes_idle, code_digest, digest)


def position_of(message: pb.Position, violations: Violations) -> Position:
    """Return the position of a message, and add the message's violations."""
    board = message.board
    ruleset = _ruleset_of(message.ruleset, violations)
    extent = BoardExtent(board.width, board.height, ruleset.wrapped)
    violations.check_not_negative("position.turn", message.turn)
    violations.check_range(f"{_BOARD}.width", board.width, 1, MAX_SIDE)
    violations.check_range(f"{_BOARD}.height", board.height, 1, MAX_SIDE)
    snakes = _snakes_of(board.snakes, extent, violations)
    return Position(
        board.width,
        board.height,
        snakes,
        _food_of(board.food, extent, violations),
        _hazards(board.hazards, extent, violations),
        _you_of(message.you_id, [snake.id for snake in snakes], violations),
        message.turn,
        ruleset,
    )


def _ruleset_of(message: pb.Ruleset, violations: Violations) -> Ruleset:
    name, settings, path = message.name or "standard", message.settings, "position.ruleset.settings"
    violations.check_choice("position.ruleset.name", name, RULESETS)
    violations.check_range(f"{path}.food_spawn_chance", settings.food_spawn_chance, 0, 100)
    for field in ("minimum_food", "shrink_every_n_turns"):
        violations.check_not_negative(f"{path}.{field}", getattr(settings, field))
    # More than the full health in one layer has no further effect.
    damage = max(-MAX_HEALTH, min(settings.hazard_damage_per_turn, MAX_HEALTH))
    return ruleset_on(message.map, name, damage, settings.shrink_every_n_turns)


def _snakes_of(
    messages: Sequence[pb.Snake], extent: BoardExtent, violations: Violations
) -> tuple[Snake, ...]:
    path = f"{_BOARD}.snakes"
    if not 1 <= len(messages) <= MAX_SNAKES:
        violations.add(path, f"must be 1 to {MAX_SNAKES} snakes, not {len(messages)}")
    messages = messages[:MAX_SNAKES]
    snakes = tuple(
        Snake(message.id, message.health, _points(message.body[: extent.most_parts])) for message in messages
    )
    first_of = {snake.id: index for index, snake in reversed(list(enumerate(snakes)))}
    for index, snake in enumerate(snakes):
        if (same := first_of[snake.id]) != index:
            violations.add(f"{path}[{index}].id", f"is also the id of snakes[{same}]")
        violations.check_range(f"{path}[{index}].health", snake.health, 1, MAX_HEALTH)
        _check_body(f"{path}[{index}].body", len(messages[index].body), snake.body, extent, violations)
    for index, part, text in shared_cells([snake.body for snake in snakes]):
        violations.add(f"{path}[{index}].body[{part}]", text)
    return snakes


def _check_body(
    path: str, length: int, body: Sequence[Point], extent: BoardExtent, violations: Violations
) -> None:
    if not 1 <= length <= extent.most_parts:
        violations.add(path, f"must be 1 to {extent.most_parts} parts on a {extent}, not {length}")
    for index, text in body_faults(body, extent):
        violations.add(f"{path}[{index}]", text)


def _food_of(messages: Sequence[pb.Point], extent: BoardExtent, violations: Violations) -> tuple[Point, ...]:
    food = _points(messages[: extent.cells + 1])
    places: dict[Point, int] = {}
    for index, point in enumerate(food):
        if not extent.holds(point):
            violations.add(f"{_BOARD}.food[{index}]", f"{point} is off the {extent}")
        if (same := places.setdefault(point, index)) != index:
            violations.add(f"{_BOARD}.food[{index}]", f"{point} is also food[{same}]")
    return food


def _hazards(messages: Sequence[pb.Point], extent: BoardExtent, violations: Violations) -> tuple[Point, ...]:
    # More layers than a snake has health would have no further effect.
    if (count := len(messages)) > (most := extent.cells * MAX_HEALTH):
        violations.add(f"{_BOARD}.hazards", f"must be at most {most} points on a {extent}, not {count}")
        return ()
    # One value for all layers of a cell, because a message has room for a hundred thousand layers.
    cells: dict[Point, Point] = {}
    return tuple(cells.setdefault(point, point) for point in _points(messages) if extent.holds(point))


def _you_of(you_id: str, ids: list[str], violations: Violations) -> int:
    violations.check_choice("position.you_id", you_id, ids)
    return ids.index(you_id) if you_id in ids else 0


def _choice_of(message: pb.Strategy, offer: Offer, violations: Violations) -> StrategyChoice | None:
    if message.search == AUTO_NAME:
        for field in ("evaluator", "weights"):
            if getattr(message, field):
                violations.add(f"strategy.{field}", f"must be empty: {AUTO_NAME} chooses the evaluator")
        return offer.default
    if not (message.search or message.evaluator or message.weights):
        return offer.default
    return _strategy_of(message, offer, violations)


def _strategy_of(message: pb.Strategy, offer: Offer, violations: Violations) -> Strategy | None:
    search = message.search or offer.fallback.search
    name = message.evaluator or offer.fallback.evaluator
    violations.check_choice("strategy.search", search, (*offer.searches, AUTO_NAME))
    violations.check_choice("strategy.evaluator", name, offer.evaluators)
    if (evaluator := offer.evaluators.get(name)) is None:
        return None
    found = len(violations)
    _check_weights(message.weights, evaluator, violations)
    is_valid = found == len(violations) and search in (*offer.searches, AUTO_NAME)
    return complete_strategy(search, evaluator, dict(message.weights)) if is_valid else None


def _check_weights(weights: Mapping[str, float], evaluator: Evaluator, violations: Violations) -> None:
    known = {weight.name: weight for weight in evaluator.weights}
    # A message has room for thousands of weights, but the check ends at MOST_VIOLATIONS.
    for name, value in sorted(islice(weights.items(), len(known) + MOST_VIOLATIONS)):
        field = f"strategy.weights[{quoted(name)}]"
        if (weight := known.get(name)) is not None:
            violations.check_range(field, value, weight.minimum, weight.maximum)
        else:
            violations.add(field, f"is not a weight of {evaluator.name}; {valid_names(known)}")


def move_of(field: str, move: pb.Direction, violations: Violations) -> Direction | None:
    """Return the move of a field. For an invalid move, return None and add the violation."""
    if move not in DIRECTIONS:
        violations.add(field, f"is {move}; {valid_names(map(pb.Direction.Name, DIRECTIONS))}")
    return DIRECTIONS.get(move)


def _limits_of(message: pb.Limits, violations: Violations) -> Limits:
    violations.check_range("limits.depth", message.depth, 0, MAX_DEPTH)
    violations.check_range("limits.threads", message.threads, 0, MAX_THREADS)
    seen: set[int] = set()
    for index, move in enumerate(message.root_moves):
        field = f"limits.root_moves[{index}]"
        if move_of(field, move, violations) is not None and move in seen:
            violations.add(field, "is given twice")
        seen.add(move)
    return Limits(
        depth=message.depth or None,
        nodes=min(message.nodes, _MAX_NODES) or None,
        root_moves=tuple(DIRECTIONS[move] for move in message.root_moves if move in DIRECTIONS),
        threads=message.threads or 1,
        seed=message.seed,
        scores=Scores.ALL if message.exact_root_moves else Scores.BEST,
    )


def _time_of(message: pb.Limits, violations: Violations) -> float | None:
    if not message.HasField("time"):
        return None
    seconds, nanos = message.time.seconds, message.time.nanos
    if seconds < 0 or not 0 <= nanos < 1_000_000_000 or seconds + nanos == 0:
        text = f"must be more than 0 s, with nanos of 0 to 999999999; it is {seconds} s and {nanos} ns"
        violations.add("limits.time", text)
    return seconds + nanos / 1e9


def _points(messages: Iterable[pb.Point]) -> tuple[Point, ...]:
    return tuple((message.x, message.y) for message in messages)


def result_message(result: Result, task: Task) -> pb.SearchResult:
    """Return the message for the result of a task."""
    ids = [snake.id for snake in task.position.snakes]
    message = pb.SearchResult(
        move=_DIRECTIONS_OUT[result.move],
        score=result.score,
        depth=result.depth,
        nodes=result.nodes,
        stop_reason=None if result.stop_reason is None else f"STOP_REASON_{result.stop_reason.name}",
        root_moves=[_root_move(root_move) for root_move in result.root_moves],
        principal_variation=[_joint_move(moves, ids) for moves in result.principal_variation],
        strategy=strategy_message(task.strategy),
        evaluations=result.evaluations,
        table_hits=result.table_hits,
        table_fill=result.table_fill,
        code_digest=task.code_digest,
        choice_digest=task.choice_digest,
    )
    message.elapsed.FromNanoseconds(int(result.elapsed * 1e9))
    return message


def strategies_message(offer: Offer, compilation: pb.Compilation | None = None) -> pb.ListStrategiesResponse:
    """Return the message that lists the searches and evaluators of an offer, and the code in the making."""
    return pb.ListStrategiesResponse(
        searches=[
            pb.SearchInfo(name=search.name, description=search.description)
            for search in offer.searches.values()
        ],
        evaluators=[_evaluator(evaluator) for evaluator in offer.evaluators.values()],
        default_strategy=strategy_message(offer.fallback),
        auto_strategies=[strategy_message(strategy) for strategy in offer.default.strategies],
        faulty_evaluators=[
            pb.FaultyEvaluator(name=name, reason=reason) for name, reason in offer.faults.items()
        ],
        evaluators_on_trial=offer.on_trial,
        compilation=compilation,
    )


def _evaluator(evaluator: Evaluator) -> pb.EvaluatorInfo:
    # The fields of a weight's message have the same names.
    weights = map(asdict, evaluator.weights)
    return pb.EvaluatorInfo(name=evaluator.name, description=evaluator.description, weights=weights)


def strategy_message(strategy: Strategy) -> pb.Strategy:
    """Return the message for a strategy."""
    return pb.Strategy(search=strategy.search, evaluator=strategy.evaluator, weights=strategy.weights)


def _root_move(root_move: RootMove) -> pb.RootMove:
    return pb.RootMove(
        move=_DIRECTIONS_OUT[root_move.move],
        score=root_move.score,
        depth=root_move.depth,
        outcome=None if root_move.outcome is None else _outcome(root_move.outcome),
        score_kind=f"SCORE_KIND_{root_move.score_kind.name}",
    )


def _outcome(outcome: Outcome) -> pb.Outcome:
    return pb.Outcome(kind=f"OUTCOME_KIND_{outcome.kind.name}", turns=outcome.turns)


def _joint_move(moves: JointMove, ids: list[str]) -> pb.JointMove:
    pairs = zip(ids, moves, strict=True)
    return pb.JointMove(moves={id_: _DIRECTIONS_OUT[move] for id_, move in pairs if move is not None})
