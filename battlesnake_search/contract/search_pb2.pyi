import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Direction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DIRECTION_UNSPECIFIED: _ClassVar[Direction]
    DIRECTION_UP: _ClassVar[Direction]
    DIRECTION_DOWN: _ClassVar[Direction]
    DIRECTION_LEFT: _ClassVar[Direction]
    DIRECTION_RIGHT: _ClassVar[Direction]

class StopReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STOP_REASON_UNSPECIFIED: _ClassVar[StopReason]
    STOP_REASON_DEADLINE: _ClassVar[StopReason]
    STOP_REASON_DEPTH: _ClassVar[StopReason]
    STOP_REASON_NODES: _ClassVar[StopReason]
    STOP_REASON_DECIDED: _ClassVar[StopReason]
    STOP_REASON_ONLY_MOVE: _ClassVar[StopReason]
    STOP_REASON_CANCELLED: _ClassVar[StopReason]

class OutcomeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_KIND_UNSPECIFIED: _ClassVar[OutcomeKind]
    OUTCOME_KIND_WIN: _ClassVar[OutcomeKind]
    OUTCOME_KIND_LOSS: _ClassVar[OutcomeKind]
    OUTCOME_KIND_DRAW: _ClassVar[OutcomeKind]

class ScoreKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCORE_KIND_UNSPECIFIED: _ClassVar[ScoreKind]
    SCORE_KIND_EXACT: _ClassVar[ScoreKind]
    SCORE_KIND_UPPER_BOUND: _ClassVar[ScoreKind]
    SCORE_KIND_LOWER_BOUND: _ClassVar[ScoreKind]
DIRECTION_UNSPECIFIED: Direction
DIRECTION_UP: Direction
DIRECTION_DOWN: Direction
DIRECTION_LEFT: Direction
DIRECTION_RIGHT: Direction
STOP_REASON_UNSPECIFIED: StopReason
STOP_REASON_DEADLINE: StopReason
STOP_REASON_DEPTH: StopReason
STOP_REASON_NODES: StopReason
STOP_REASON_DECIDED: StopReason
STOP_REASON_ONLY_MOVE: StopReason
STOP_REASON_CANCELLED: StopReason
OUTCOME_KIND_UNSPECIFIED: OutcomeKind
OUTCOME_KIND_WIN: OutcomeKind
OUTCOME_KIND_LOSS: OutcomeKind
OUTCOME_KIND_DRAW: OutcomeKind
SCORE_KIND_UNSPECIFIED: ScoreKind
SCORE_KIND_EXACT: ScoreKind
SCORE_KIND_UPPER_BOUND: ScoreKind
SCORE_KIND_LOWER_BOUND: ScoreKind

class Point(_message.Message):
    __slots__ = ("x", "y")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    x: int
    y: int
    def __init__(self, x: _Optional[int] = ..., y: _Optional[int] = ...) -> None: ...

class Snake(_message.Message):
    __slots__ = ("id", "name", "health", "body")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    HEALTH_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    health: int
    body: _containers.RepeatedCompositeFieldContainer[Point]
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., health: _Optional[int] = ..., body: _Optional[_Iterable[_Union[Point, _Mapping]]] = ...) -> None: ...

class Board(_message.Message):
    __slots__ = ("width", "height", "food", "hazards", "snakes")
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    FOOD_FIELD_NUMBER: _ClassVar[int]
    HAZARDS_FIELD_NUMBER: _ClassVar[int]
    SNAKES_FIELD_NUMBER: _ClassVar[int]
    width: int
    height: int
    food: _containers.RepeatedCompositeFieldContainer[Point]
    hazards: _containers.RepeatedCompositeFieldContainer[Point]
    snakes: _containers.RepeatedCompositeFieldContainer[Snake]
    def __init__(self, width: _Optional[int] = ..., height: _Optional[int] = ..., food: _Optional[_Iterable[_Union[Point, _Mapping]]] = ..., hazards: _Optional[_Iterable[_Union[Point, _Mapping]]] = ..., snakes: _Optional[_Iterable[_Union[Snake, _Mapping]]] = ...) -> None: ...

class RulesetSettings(_message.Message):
    __slots__ = ("food_spawn_chance", "minimum_food", "hazard_damage_per_turn", "shrink_every_n_turns")
    FOOD_SPAWN_CHANCE_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FOOD_FIELD_NUMBER: _ClassVar[int]
    HAZARD_DAMAGE_PER_TURN_FIELD_NUMBER: _ClassVar[int]
    SHRINK_EVERY_N_TURNS_FIELD_NUMBER: _ClassVar[int]
    food_spawn_chance: int
    minimum_food: int
    hazard_damage_per_turn: int
    shrink_every_n_turns: int
    def __init__(self, food_spawn_chance: _Optional[int] = ..., minimum_food: _Optional[int] = ..., hazard_damage_per_turn: _Optional[int] = ..., shrink_every_n_turns: _Optional[int] = ...) -> None: ...

class Ruleset(_message.Message):
    __slots__ = ("name", "map", "settings")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MAP_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    name: str
    map: str
    settings: RulesetSettings
    def __init__(self, name: _Optional[str] = ..., map: _Optional[str] = ..., settings: _Optional[_Union[RulesetSettings, _Mapping]] = ...) -> None: ...

class Position(_message.Message):
    __slots__ = ("game_id", "turn", "you_id", "ruleset", "board")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    YOU_ID_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    turn: int
    you_id: str
    ruleset: Ruleset
    board: Board
    def __init__(self, game_id: _Optional[str] = ..., turn: _Optional[int] = ..., you_id: _Optional[str] = ..., ruleset: _Optional[_Union[Ruleset, _Mapping]] = ..., board: _Optional[_Union[Board, _Mapping]] = ...) -> None: ...

class Strategy(_message.Message):
    __slots__ = ("search", "evaluator", "weights")
    class WeightsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    EVALUATOR_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    search: str
    evaluator: str
    weights: _containers.ScalarMap[str, float]
    def __init__(self, search: _Optional[str] = ..., evaluator: _Optional[str] = ..., weights: _Optional[_Mapping[str, float]] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("time", "depth", "nodes", "root_moves", "threads", "seed", "exact_root_moves")
    TIME_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    NODES_FIELD_NUMBER: _ClassVar[int]
    ROOT_MOVES_FIELD_NUMBER: _ClassVar[int]
    THREADS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    EXACT_ROOT_MOVES_FIELD_NUMBER: _ClassVar[int]
    time: _duration_pb2.Duration
    depth: int
    nodes: int
    root_moves: _containers.RepeatedScalarFieldContainer[Direction]
    threads: int
    seed: int
    exact_root_moves: bool
    def __init__(self, time: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., depth: _Optional[int] = ..., nodes: _Optional[int] = ..., root_moves: _Optional[_Iterable[_Union[Direction, str]]] = ..., threads: _Optional[int] = ..., seed: _Optional[int] = ..., exact_root_moves: bool = ...) -> None: ...

class SearchRequest(_message.Message):
    __slots__ = ("position", "strategy", "limits")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    position: Position
    strategy: Strategy
    limits: Limits
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., strategy: _Optional[_Union[Strategy, _Mapping]] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ...) -> None: ...

class SearchResponse(_message.Message):
    __slots__ = ("result",)
    RESULT_FIELD_NUMBER: _ClassVar[int]
    result: SearchResult
    def __init__(self, result: _Optional[_Union[SearchResult, _Mapping]] = ...) -> None: ...

class StreamSearchRequest(_message.Message):
    __slots__ = ("position", "strategy", "limits")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    position: Position
    strategy: Strategy
    limits: Limits
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., strategy: _Optional[_Union[Strategy, _Mapping]] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ...) -> None: ...

class StreamSearchResponse(_message.Message):
    __slots__ = ("result", "final")
    RESULT_FIELD_NUMBER: _ClassVar[int]
    FINAL_FIELD_NUMBER: _ClassVar[int]
    result: SearchResult
    final: bool
    def __init__(self, result: _Optional[_Union[SearchResult, _Mapping]] = ..., final: bool = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("kind", "turns")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    kind: OutcomeKind
    turns: int
    def __init__(self, kind: _Optional[_Union[OutcomeKind, str]] = ..., turns: _Optional[int] = ...) -> None: ...

class RootMove(_message.Message):
    __slots__ = ("move", "score", "depth", "outcome", "score_kind")
    MOVE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    SCORE_KIND_FIELD_NUMBER: _ClassVar[int]
    move: Direction
    score: float
    depth: int
    outcome: Outcome
    score_kind: ScoreKind
    def __init__(self, move: _Optional[_Union[Direction, str]] = ..., score: _Optional[float] = ..., depth: _Optional[int] = ..., outcome: _Optional[_Union[Outcome, _Mapping]] = ..., score_kind: _Optional[_Union[ScoreKind, str]] = ...) -> None: ...

class JointMove(_message.Message):
    __slots__ = ("moves",)
    class MovesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: Direction
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[Direction, str]] = ...) -> None: ...
    MOVES_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.ScalarMap[str, Direction]
    def __init__(self, moves: _Optional[_Mapping[str, Direction]] = ...) -> None: ...

class SearchResult(_message.Message):
    __slots__ = ("move", "score", "depth", "nodes", "elapsed", "stop_reason", "root_moves", "principal_variation", "strategy", "evaluations", "table_hits", "table_fill", "code_digest", "choice_digest")
    MOVE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    NODES_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_FIELD_NUMBER: _ClassVar[int]
    STOP_REASON_FIELD_NUMBER: _ClassVar[int]
    ROOT_MOVES_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_VARIATION_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    EVALUATIONS_FIELD_NUMBER: _ClassVar[int]
    TABLE_HITS_FIELD_NUMBER: _ClassVar[int]
    TABLE_FILL_FIELD_NUMBER: _ClassVar[int]
    CODE_DIGEST_FIELD_NUMBER: _ClassVar[int]
    CHOICE_DIGEST_FIELD_NUMBER: _ClassVar[int]
    move: Direction
    score: float
    depth: int
    nodes: int
    elapsed: _duration_pb2.Duration
    stop_reason: StopReason
    root_moves: _containers.RepeatedCompositeFieldContainer[RootMove]
    principal_variation: _containers.RepeatedCompositeFieldContainer[JointMove]
    strategy: Strategy
    evaluations: int
    table_hits: int
    table_fill: float
    code_digest: str
    choice_digest: str
    def __init__(self, move: _Optional[_Union[Direction, str]] = ..., score: _Optional[float] = ..., depth: _Optional[int] = ..., nodes: _Optional[int] = ..., elapsed: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., stop_reason: _Optional[_Union[StopReason, str]] = ..., root_moves: _Optional[_Iterable[_Union[RootMove, _Mapping]]] = ..., principal_variation: _Optional[_Iterable[_Union[JointMove, _Mapping]]] = ..., strategy: _Optional[_Union[Strategy, _Mapping]] = ..., evaluations: _Optional[int] = ..., table_hits: _Optional[int] = ..., table_fill: _Optional[float] = ..., code_digest: _Optional[str] = ..., choice_digest: _Optional[str] = ...) -> None: ...

class ListStrategiesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Weight(_message.Message):
    __slots__ = ("name", "default", "minimum", "maximum", "description")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    name: str
    default: float
    minimum: float
    maximum: float
    description: str
    def __init__(self, name: _Optional[str] = ..., default: _Optional[float] = ..., minimum: _Optional[float] = ..., maximum: _Optional[float] = ..., description: _Optional[str] = ...) -> None: ...

class SearchInfo(_message.Message):
    __slots__ = ("name", "description")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class EvaluatorInfo(_message.Message):
    __slots__ = ("name", "description", "weights")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    weights: _containers.RepeatedCompositeFieldContainer[Weight]
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., weights: _Optional[_Iterable[_Union[Weight, _Mapping]]] = ...) -> None: ...

class FaultyEvaluator(_message.Message):
    __slots__ = ("name", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class Compilation(_message.Message):
    __slots__ = ("step", "done", "total", "elapsed")
    STEP_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_FIELD_NUMBER: _ClassVar[int]
    step: str
    done: int
    total: int
    elapsed: _duration_pb2.Duration
    def __init__(self, step: _Optional[str] = ..., done: _Optional[int] = ..., total: _Optional[int] = ..., elapsed: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class ListStrategiesResponse(_message.Message):
    __slots__ = ("searches", "evaluators", "default_strategy", "auto_strategies", "faulty_evaluators", "evaluators_on_trial", "compilation")
    SEARCHES_FIELD_NUMBER: _ClassVar[int]
    EVALUATORS_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_STRATEGY_FIELD_NUMBER: _ClassVar[int]
    AUTO_STRATEGIES_FIELD_NUMBER: _ClassVar[int]
    FAULTY_EVALUATORS_FIELD_NUMBER: _ClassVar[int]
    EVALUATORS_ON_TRIAL_FIELD_NUMBER: _ClassVar[int]
    COMPILATION_FIELD_NUMBER: _ClassVar[int]
    searches: _containers.RepeatedCompositeFieldContainer[SearchInfo]
    evaluators: _containers.RepeatedCompositeFieldContainer[EvaluatorInfo]
    default_strategy: Strategy
    auto_strategies: _containers.RepeatedCompositeFieldContainer[Strategy]
    faulty_evaluators: _containers.RepeatedCompositeFieldContainer[FaultyEvaluator]
    evaluators_on_trial: _containers.RepeatedScalarFieldContainer[str]
    compilation: Compilation
    def __init__(self, searches: _Optional[_Iterable[_Union[SearchInfo, _Mapping]]] = ..., evaluators: _Optional[_Iterable[_Union[EvaluatorInfo, _Mapping]]] = ..., default_strategy: _Optional[_Union[Strategy, _Mapping]] = ..., auto_strategies: _Optional[_Iterable[_Union[Strategy, _Mapping]]] = ..., faulty_evaluators: _Optional[_Iterable[_Union[FaultyEvaluator, _Mapping]]] = ..., evaluators_on_trial: _Optional[_Iterable[str]] = ..., compilation: _Optional[_Union[Compilation, _Mapping]] = ...) -> None: ...
