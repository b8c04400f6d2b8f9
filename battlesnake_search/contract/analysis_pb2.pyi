from battlesnake_search.contract import search_pb2 as _search_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

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
