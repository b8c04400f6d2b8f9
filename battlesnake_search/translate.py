"""The translation between the board and the searcher's messages, in this file alone."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from battlesnake_search.board import LONGEST_NAME, Board, Game, Point, Turn
from battlesnake_search.contract import analysis_pb2, search_pb2
from battlesnake_search.plan import AUTO, Limits, Plan
from battlesnake_search.searchable import Searchable, position_of

_MOVES = {
    search_pb2.DIRECTION_UP: "up",
    search_pb2.DIRECTION_DOWN: "down",
    search_pb2.DIRECTION_LEFT: "left",
    search_pb2.DIRECTION_RIGHT: "right",
}
_DIRECTIONS = {move: direction for direction, move in _MOVES.items()}

MOVES = tuple(_DIRECTIONS)
"""The moves of the API."""

_ENDINGS = {
    search_pb2.OUTCOME_KIND_WIN: "win",
    search_pb2.OUTCOME_KIND_LOSS: "loss",
    search_pb2.OUTCOME_KIND_DRAW: "draw",
}
_EXACT = {
    search_pb2.SCORE_KIND_EXACT: True,
    search_pb2.SCORE_KIND_UPPER_BOUND: False,
    search_pb2.SCORE_KIND_LOWER_BOUND: False,
}
_STOPS = {
    search_pb2.STOP_REASON_DEADLINE: "time",
    search_pb2.STOP_REASON_DEPTH: "depth",
    search_pb2.STOP_REASON_NODES: "nodes",
    search_pb2.STOP_REASON_DECIDED: "solved",
    search_pb2.STOP_REASON_ONLY_MOVE: "only_move",
    search_pb2.STOP_REASON_CANCELLED: "cancelled",
}

# A call also sends the strategy in a header, and headers allow no other characters.
_STRATEGY = re.compile(r"([\w.-]+)/([\w.-]+)", re.ASCII)

_MAX_CELLS = 1024
"""The most cached points: more than the cells of the largest boards."""

_MAX_STRATEGIES = 256
_DIGEST_DIGITS = 16


@dataclass(frozen=True, slots=True)
class PlayedStrategy:
    """The strategy that a searcher has played.

    `name` is search/evaluator, `weights` are all weights of the evaluator. `digest` covers both and the code.
    The strategy `auto` has no weights, and its digest covers the rules by which it chooses.
    """

    name: str
    weights: Mapping[str, float]
    digest: str


@dataclass(frozen=True, slots=True)
class MoveResult:
    """The result of a search: the move in the API's words, and its evaluation.

    `score` is from -1 (lost) to 1 (won), `depth` counts completed turns, `seconds` is the search's own time.
    """

    move: str
    score: float
    depth: int
    nodes: int
    seconds: float
    strategy: PlayedStrategy | None = None
    """None if unknown."""
    auto: PlayedStrategy | None = None
    """The strategy `auto`, if it chose the strategy."""
    message: search_pb2.SearchResult | None = field(default=None, repr=False, compare=False)
    """The message that `details` translates."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The proven end of a game: `kind` is win, loss or draw, `turns` the number of turns until then."""

    kind: str
    turns: int


@dataclass(frozen=True, slots=True)
class RootMove:
    """A move that a search compared.

    `exact`: whether the score is the move's own. If it is false, the search of the move was cut off, and the
    score is an upper bound. In an analysis of losses alone, it is a lower bound. None: the searcher does not
    say.
    """

    move: str
    score: float
    depth: int
    outcome: Ending | None
    exact: bool | None = None


@dataclass(frozen=True, slots=True)
class Details:
    """The findings of a search beyond its move.

    `moves` are the root moves, best first. `pv` has the expected joint moves turn by turn, each by snake id.
    `stop` is the reason of the end: time, depth, nodes, solved, only_move or cancelled; None if unknown.
    """

    moves: tuple[RootMove, ...]
    pv: tuple[Mapping[str, str], ...]
    stop: str | None
    evaluations: int


@dataclass(frozen=True, slots=True)
class Weight:
    """A weight of an evaluator: its default value, and its range."""

    default: float
    minimum: float
    maximum: float
    description: str


@dataclass(frozen=True, slots=True)
class Evaluator:
    """An evaluator that a strategy may name, and its weights by name."""

    description: str
    weights: Mapping[str, Weight]


@dataclass(frozen=True, slots=True)
class Strategies:
    """A searcher's strategies: any of the searches with any of the evaluators, each by name.

    `default` is the strategy of a search that names none.
    """

    searches: Mapping[str, str]
    evaluators: Mapping[str, Evaluator]
    default: str


def parse_strategy(text: str) -> search_pb2.Strategy:
    """Parse `search/evaluator` or `auto`; empty: the searcher's default. Raises ValueError for other text."""
    if text in ("", AUTO):
        return search_pb2.Strategy(search=text)
    if len(text) > LONGEST_NAME:
        raise ValueError(f"has {len(text)} characters; at most {LONGEST_NAME} are valid")
    names = _STRATEGY.fullmatch(text)
    if not names:
        form = "of the form search/evaluator, for example paranoid/area"
        hint = "; weights are not a part of it" if "," in text else ""
        raise ValueError(f"strategy {text!r} is neither {AUTO} nor {form}{hint}")
    return search_pb2.Strategy(search=names[1], evaluator=names[2])


def search_request(
    position: Searchable | Turn, plan: Plan, moves: Iterable[str] = ()
) -> search_pb2.StreamSearchRequest:
    """Return the request for a move in a position, limited to `moves` if they are given.

    The client that sends it sets the time limit. Raises ValueError, as parse_strategy does.
    """
    request = search_pb2.StreamSearchRequest(strategy=_strategy(plan), limits=_limits(plan.limits))
    fitting = _fitting(position)
    request.limits.root_moves.extend(directions(moves or fitting.moves))
    # Fill the field in place, because a message that is passed as a field is copied point by point.
    fill_position(request.position, fitting.turn)
    return request


def game_request(
    plan: Plan, moves: Iterable[str] = (), avoided: Iterable[str] = ()
) -> analysis_pb2.AnalyzeGameRequest:
    """Return the request for the analysis of a game, without positions. It considers only `moves` if given.

    Raises ValueError, as parse_strategy does.
    """
    request = analysis_pb2.AnalyzeGameRequest(
        strategy=_strategy(plan), limits=_limits(plan.limits), avoided_moves=directions(avoided)
    )
    request.limits.root_moves.extend(directions(moves))
    return request


def game_position(position: Searchable | Turn, played: str = "") -> analysis_pb2.GamePosition:
    """Return a position of a game, with the move that was played if it is known."""
    message = analysis_pb2.GamePosition()
    if played:
        message.played_move = _DIRECTIONS[played]
    fill_position(message.position, _fitting(position).turn)
    return message


def _strategy(plan: Plan) -> search_pb2.Strategy:
    strategy = parse_strategy(plan.strategy)
    strategy.weights.update(plan.evaluator_weights)
    return strategy


def evaluate_request(position: Searchable | Turn, plan: Plan) -> analysis_pb2.EvaluateRequest:
    """Return the request for an evaluation of a position. Raises ValueError, as parse_strategy does."""
    search = search_request(position, plan)
    return analysis_pb2.EvaluateRequest(position=search.position, strategy=search.strategy)


def advance_request(position: Searchable | Turn, moves: Mapping[str, str]) -> analysis_pb2.AdvanceRequest:
    """Return the request for the position after moves of the API, by snake id."""
    request = analysis_pb2.AdvanceRequest(moves={snake: _DIRECTIONS[move] for snake, move in moves.items()})
    fill_position(request.position, _fitting(position).turn)
    return request


def _fitting(position: Searchable | Turn) -> Searchable:
    """Return the position as a search can take it; for a turn, by its board alone."""
    return position if isinstance(position, Searchable) else position_of(position)


def directions(moves: Iterable[str]) -> list[search_pb2.Direction]:
    """Return the directions of moves of the API."""
    return [_DIRECTIONS[move] for move in moves]


def move_result(result: search_pb2.SearchResult | None) -> MoveResult | None:
    """Return a search's result in the API's words; None without a result or a move."""
    if result is None:
        return None
    move = _MOVES.get(result.move)
    if move is None:
        return None
    seconds = result.elapsed.ToMicroseconds() / 1e6
    # A game repeats its strategy in every turn, so the digest is computed once.
    strategy = _played_strategy(result.strategy.SerializeToString(deterministic=True), result.code_digest)
    auto = PlayedStrategy(AUTO, {}, result.choice_digest) if result.choice_digest else None
    return MoveResult(move, result.score, result.depth, result.nodes, seconds, strategy, auto, result)


def details(result: search_pb2.SearchResult) -> Details:
    """Return the findings of a search beyond its move, in the API's words."""
    return Details(
        moves=tuple(_root_move(each) for each in result.root_moves),
        pv=tuple(_words(joint.moves) for joint in result.principal_variation),
        stop=_STOPS.get(result.stop_reason),
        evaluations=result.evaluations,
    )


def owners(
    response: analysis_pb2.AnalyzeGameResponse, asked: analysis_pb2.GamePosition
) -> tuple[tuple[str | None, ...], ...] | None:
    """Return the id of each cell's owner by row and column; None without ownership in the response."""
    if not response.HasField("ownership"):
        return None
    board = asked.position.board
    ids = [None, *(snake.id for snake in board.snakes)]
    cells = [ids[owner] for owner in response.ownership.owners]
    return tuple(tuple(cells[start : start + board.width]) for start in range(0, len(cells), board.width))


def strategies(response: search_pb2.ListStrategiesResponse) -> Strategies:
    """Return a searcher's list of strategies."""
    default = response.default_strategy
    return Strategies(
        {search.name: search.description for search in response.searches},
        {each.name: Evaluator(each.description, _weights(each)) for each in response.evaluators},
        AUTO if response.auto_strategies else f"{default.search}/{default.evaluator}",
    )


def _weights(evaluator: search_pb2.EvaluatorInfo) -> dict[str, Weight]:
    return {
        each.name: Weight(each.default, each.minimum, each.maximum, each.description)
        for each in evaluator.weights
    }


def _root_move(root: search_pb2.RootMove) -> RootMove:
    kind = _ENDINGS.get(root.outcome.kind)
    ending = Ending(kind, root.outcome.turns) if kind else None
    exact = _EXACT.get(root.score_kind)
    return RootMove(_MOVES.get(root.move, ""), root.score, root.depth, ending, exact)


def _words(moves: Mapping[str, search_pb2.Direction]) -> dict[str, str]:
    return {snake: _MOVES[direction] for snake, direction in moves.items() if direction in _MOVES}


def version_digest(strategy: search_pb2.Strategy, code_digest: str, choice_digest: str = "") -> str:
    """Return a digest of the strategy that searched, its weights and its code, and the rules of a choice.

    Without a choice it is the digest of `PlayedStrategy`. It is empty if a searcher does not report them.
    """
    played = _played_strategy(strategy.SerializeToString(deterministic=True), code_digest)
    if played is None or not code_digest:
        return ""
    if not choice_digest:
        return played.digest
    return hashlib.sha256((choice_digest + played.digest).encode()).hexdigest()[:_DIGEST_DIGITS]


@lru_cache(_MAX_STRATEGIES)
def _played_strategy(encoded: bytes, code_digest: str) -> PlayedStrategy | None:
    strategy = search_pb2.Strategy.FromString(encoded)
    if not strategy.search:
        return None
    digest = hashlib.sha256(encoded + code_digest.encode()).hexdigest()[:_DIGEST_DIGITS]
    return PlayedStrategy(f"{strategy.search}/{strategy.evaluator}", dict(strategy.weights), digest)


def _limits(limits: Limits) -> search_pb2.Limits:
    return search_pb2.Limits(depth=limits.depth, nodes=limits.nodes, threads=limits.threads, seed=limits.seed)


def fill_position(message: search_pb2.Position, turn: Turn) -> None:
    """Fill in the position of a turn as it is, even if it is beyond the bounds of the contract."""
    message.game_id, message.turn, message.you_id = turn.game.id, turn.turn, turn.you.id
    message.ruleset.CopyFrom(_ruleset(turn.game))
    _fill_board(message.board, turn.board)


def _ruleset(game: Game) -> search_pb2.Ruleset:
    settings = game.ruleset.settings
    return search_pb2.Ruleset(
        name=game.ruleset.name,
        map=game.map,
        settings=search_pb2.RulesetSettings(
            food_spawn_chance=settings.food_spawn_chance,
            minimum_food=settings.minimum_food,
            hazard_damage_per_turn=settings.hazard_damage_per_turn,
            shrink_every_n_turns=settings.royale.shrink_every_n_turns,
        ),
    )


def _fill_board(message: search_pb2.Board, board: Board) -> None:
    message.width, message.height = board.width, board.height
    _add_points(message, _encoded_food, board.food)
    _add_points(message, _encoded_hazard, board.hazards)
    for snake in board.snakes:
        added = message.snakes.add(id=snake.id, name=snake.name, health=snake.health)
        _add_points(added, _encoded_segment, snake.body)


def _add_points(
    message: search_pb2.Board | search_pb2.Snake,
    encoded: Callable[[int, int], bytes],
    points: Iterable[Point],
) -> None:
    """Add points to a field of a message.

    The encodings of single points are joined and decoded at once, because protobuf decodes concatenated
    messages as one message with all elements. Building a message for each of hundreds of points takes
    longer than the rest of the request.
    """
    message.MergeFromString(b"".join([encoded(point.x, point.y) for point in points]))


@lru_cache(_MAX_CELLS)
def _encoded_food(x: int, y: int) -> bytes:
    return search_pb2.Board(food=[search_pb2.Point(x=x, y=y)]).SerializeToString()


@lru_cache(_MAX_CELLS)
def _encoded_hazard(x: int, y: int) -> bytes:
    return search_pb2.Board(hazards=[search_pb2.Point(x=x, y=y)]).SerializeToString()


@lru_cache(_MAX_CELLS)
def _encoded_segment(x: int, y: int) -> bytes:
    return search_pb2.Snake(body=[search_pb2.Point(x=x, y=y)]).SerializeToString()
