from battlesnake_search.contract import search_pb2 as _search_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AnalyzeGameRequest(_message.Message):
    __slots__ = ("positions", "strategy", "limits", "priority", "avoided_moves", "ownership", "only_losses")
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    AVOIDED_MOVES_FIELD_NUMBER: _ClassVar[int]
    OWNERSHIP_FIELD_NUMBER: _ClassVar[int]
    ONLY_LOSSES_FIELD_NUMBER: _ClassVar[int]
    positions: _containers.RepeatedCompositeFieldContainer[GamePosition]
    strategy: _search_pb2.Strategy
    limits: _search_pb2.Limits
    priority: int
    avoided_moves: _containers.RepeatedScalarFieldContainer[_search_pb2.Direction]
    ownership: bool
    only_losses: bool
    def __init__(self, positions: _Optional[_Iterable[_Union[GamePosition, _Mapping]]] = ..., strategy: _Optional[_Union[_search_pb2.Strategy, _Mapping]] = ..., limits: _Optional[_Union[_search_pb2.Limits, _Mapping]] = ..., priority: _Optional[int] = ..., avoided_moves: _Optional[_Iterable[_Union[_search_pb2.Direction, str]]] = ..., ownership: bool = ..., only_losses: bool = ...) -> None: ...

class GamePosition(_message.Message):
    __slots__ = ("position", "played_move")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    PLAYED_MOVE_FIELD_NUMBER: _ClassVar[int]
    position: _search_pb2.Position
    played_move: _search_pb2.Direction
    def __init__(self, position: _Optional[_Union[_search_pb2.Position, _Mapping]] = ..., played_move: _Optional[_Union[_search_pb2.Direction, str]] = ...) -> None: ...

class AnalyzeGameResponse(_message.Message):
    __slots__ = ("index", "result", "ownership", "final")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    OWNERSHIP_FIELD_NUMBER: _ClassVar[int]
    FINAL_FIELD_NUMBER: _ClassVar[int]
    index: int
    result: _search_pb2.SearchResult
    ownership: Ownership
    final: bool
    def __init__(self, index: _Optional[int] = ..., result: _Optional[_Union[_search_pb2.SearchResult, _Mapping]] = ..., ownership: _Optional[_Union[Ownership, _Mapping]] = ..., final: bool = ...) -> None: ...

class Ownership(_message.Message):
    __slots__ = ("owners",)
    OWNERS_FIELD_NUMBER: _ClassVar[int]
    owners: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, owners: _Optional[_Iterable[int]] = ...) -> None: ...

class EvaluateRequest(_message.Message):
    __slots__ = ("position", "strategy")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    position: _search_pb2.Position
    strategy: _search_pb2.Strategy
    def __init__(self, position: _Optional[_Union[_search_pb2.Position, _Mapping]] = ..., strategy: _Optional[_Union[_search_pb2.Strategy, _Mapping]] = ...) -> None: ...

class EvaluateResponse(_message.Message):
    __slots__ = ("strategy", "snakes")
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    SNAKES_FIELD_NUMBER: _ClassVar[int]
    strategy: _search_pb2.Strategy
    snakes: _containers.RepeatedCompositeFieldContainer[SnakeEvaluation]
    def __init__(self, strategy: _Optional[_Union[_search_pb2.Strategy, _Mapping]] = ..., snakes: _Optional[_Iterable[_Union[SnakeEvaluation, _Mapping]]] = ...) -> None: ...

class SnakeEvaluation(_message.Message):
    __slots__ = ("snake_id", "score", "value", "weights")
    SNAKE_ID_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    snake_id: str
    score: float
    value: float
    weights: _containers.RepeatedCompositeFieldContainer[WeightEffect]
    def __init__(self, snake_id: _Optional[str] = ..., score: _Optional[float] = ..., value: _Optional[float] = ..., weights: _Optional[_Iterable[_Union[WeightEffect, _Mapping]]] = ...) -> None: ...

class WeightEffect(_message.Message):
    __slots__ = ("name", "weight", "replacement", "value_without")
    NAME_FIELD_NUMBER: _ClassVar[int]
    WEIGHT_FIELD_NUMBER: _ClassVar[int]
    REPLACEMENT_FIELD_NUMBER: _ClassVar[int]
    VALUE_WITHOUT_FIELD_NUMBER: _ClassVar[int]
    name: str
    weight: float
    replacement: float
    value_without: float
    def __init__(self, name: _Optional[str] = ..., weight: _Optional[float] = ..., replacement: _Optional[float] = ..., value_without: _Optional[float] = ...) -> None: ...

class AdvanceRequest(_message.Message):
    __slots__ = ("position", "moves")
    class MovesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _search_pb2.Direction
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_search_pb2.Direction, str]] = ...) -> None: ...
    POSITION_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    position: _search_pb2.Position
    moves: _containers.ScalarMap[str, _search_pb2.Direction]
    def __init__(self, position: _Optional[_Union[_search_pb2.Position, _Mapping]] = ..., moves: _Optional[_Mapping[str, _search_pb2.Direction]] = ...) -> None: ...

class AdvanceResponse(_message.Message):
    __slots__ = ("position", "deaths", "over")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    DEATHS_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    position: _search_pb2.Position
    deaths: _containers.RepeatedCompositeFieldContainer[Death]
    over: bool
    def __init__(self, position: _Optional[_Union[_search_pb2.Position, _Mapping]] = ..., deaths: _Optional[_Iterable[_Union[Death, _Mapping]]] = ..., over: bool = ...) -> None: ...

class Death(_message.Message):
    __slots__ = ("snake_id", "cause", "by_id")
    SNAKE_ID_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    BY_ID_FIELD_NUMBER: _ClassVar[int]
    snake_id: str
    cause: str
    by_id: str
    def __init__(self, snake_id: _Optional[str] = ..., cause: _Optional[str] = ..., by_id: _Optional[str] = ...) -> None: ...
