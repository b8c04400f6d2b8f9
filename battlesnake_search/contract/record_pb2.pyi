import datetime

from battlesnake_search.contract import search_pb2 as _search_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameResult(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_RESULT_UNSPECIFIED: _ClassVar[GameResult]
    GAME_RESULT_WIN: _ClassVar[GameResult]
    GAME_RESULT_DRAW: _ClassVar[GameResult]
    GAME_RESULT_LOSS: _ClassVar[GameResult]
GAME_RESULT_UNSPECIFIED: GameResult
GAME_RESULT_WIN: GameResult
GAME_RESULT_DRAW: GameResult
GAME_RESULT_LOSS: GameResult

class RecordRequest(_message.Message):
    __slots__ = ("events", "gateway")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[Event]
    gateway: Gateway
    def __init__(self, events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., gateway: _Optional[_Union[Gateway, _Mapping]] = ...) -> None: ...

class RecordResponse(_message.Message):
    __slots__ = ("acknowledged", "wants_status")
    ACKNOWLEDGED_FIELD_NUMBER: _ClassVar[int]
    WANTS_STATUS_FIELD_NUMBER: _ClassVar[int]
    acknowledged: int
    wants_status: bool
    def __init__(self, acknowledged: _Optional[int] = ..., wants_status: bool = ...) -> None: ...

class Gateway(_message.Message):
    __slots__ = ("id", "status")
    ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    id: str
    status: Status
    def __init__(self, id: _Optional[str] = ..., status: _Optional[_Union[Status, _Mapping]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("number", "started", "answered", "ended", "probed", "broken_off", "abandoned", "time")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    PROBED_FIELD_NUMBER: _ClassVar[int]
    BROKEN_OFF_FIELD_NUMBER: _ClassVar[int]
    ABANDONED_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    number: int
    started: Started
    answered: Answered
    ended: Ended
    probed: Probed
    broken_off: BrokenOff
    abandoned: Abandoned
    time: _timestamp_pb2.Timestamp
    def __init__(self, number: _Optional[int] = ..., started: _Optional[_Union[Started, _Mapping]] = ..., answered: _Optional[_Union[Answered, _Mapping]] = ..., ended: _Optional[_Union[Ended, _Mapping]] = ..., probed: _Optional[_Union[Probed, _Mapping]] = ..., broken_off: _Optional[_Union[BrokenOff, _Mapping]] = ..., abandoned: _Optional[_Union[Abandoned, _Mapping]] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Started(_message.Message):
    __slots__ = ("turn", "arm")
    TURN_FIELD_NUMBER: _ClassVar[int]
    ARM_FIELD_NUMBER: _ClassVar[int]
    turn: bytes
    arm: Arm
    def __init__(self, turn: _Optional[bytes] = ..., arm: _Optional[_Union[Arm, _Mapping]] = ...) -> None: ...

class Answered(_message.Message):
    __slots__ = ("turn", "arm", "played")
    TURN_FIELD_NUMBER: _ClassVar[int]
    ARM_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    turn: bytes
    arm: Arm
    played: PlayedMove
    def __init__(self, turn: _Optional[bytes] = ..., arm: _Optional[_Union[Arm, _Mapping]] = ..., played: _Optional[_Union[PlayedMove, _Mapping]] = ...) -> None: ...

class Ended(_message.Message):
    __slots__ = ("turn", "arm", "outcome")
    TURN_FIELD_NUMBER: _ClassVar[int]
    ARM_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    turn: bytes
    arm: Arm
    outcome: GameOutcome
    def __init__(self, turn: _Optional[bytes] = ..., arm: _Optional[_Union[Arm, _Mapping]] = ..., outcome: _Optional[_Union[GameOutcome, _Mapping]] = ...) -> None: ...

class Probed(_message.Message):
    __slots__ = ("game_id",)
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    def __init__(self, game_id: _Optional[str] = ...) -> None: ...

class BrokenOff(_message.Message):
    __slots__ = ("game_id", "new_id", "outcome")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    NEW_ID_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    new_id: str
    outcome: GameOutcome
    def __init__(self, game_id: _Optional[str] = ..., new_id: _Optional[str] = ..., outcome: _Optional[_Union[GameOutcome, _Mapping]] = ...) -> None: ...

class Abandoned(_message.Message):
    __slots__ = ("game_id", "outcome")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    outcome: GameOutcome
    def __init__(self, game_id: _Optional[str] = ..., outcome: _Optional[_Union[GameOutcome, _Mapping]] = ...) -> None: ...

class Arm(_message.Message):
    __slots__ = ("experiment", "name", "strategy")
    EXPERIMENT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    experiment: str
    name: str
    strategy: str
    def __init__(self, experiment: _Optional[str] = ..., name: _Optional[str] = ..., strategy: _Optional[str] = ...) -> None: ...

class PlayedMove(_message.Message):
    __slots__ = ("move", "source", "strategy", "elapsed_seconds", "budget_seconds", "left_seconds", "result")
    MOVE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_SECONDS_FIELD_NUMBER: _ClassVar[int]
    BUDGET_SECONDS_FIELD_NUMBER: _ClassVar[int]
    LEFT_SECONDS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    move: str
    source: str
    strategy: str
    elapsed_seconds: float
    budget_seconds: float
    left_seconds: float
    result: _search_pb2.SearchResult
    def __init__(self, move: _Optional[str] = ..., source: _Optional[str] = ..., strategy: _Optional[str] = ..., elapsed_seconds: _Optional[float] = ..., budget_seconds: _Optional[float] = ..., left_seconds: _Optional[float] = ..., result: _Optional[_Union[_search_pb2.SearchResult, _Mapping]] = ...) -> None: ...

class GameOutcome(_message.Message):
    __slots__ = ("game_id", "snake_id", "snake", "experiment", "arm", "strategy", "drawn", "ruleset", "map", "width", "height", "timeout_ms", "opponents", "result", "place", "turns", "moves", "timeouts", "mean_depth", "seen_from", "shadows", "ended_at", "control", "shares", "setup", "searched", "mean_latency_ms", "part", "ended", "last_turn", "began_at", "moves_searched", "moves_best_so_far", "moves_stand_in", "moves_failed", "died_late")
    class ShadowsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: ShadowRecord
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[ShadowRecord, _Mapping]] = ...) -> None: ...
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SNAKE_ID_FIELD_NUMBER: _ClassVar[int]
    SNAKE_FIELD_NUMBER: _ClassVar[int]
    EXPERIMENT_FIELD_NUMBER: _ClassVar[int]
    ARM_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    MAP_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_MS_FIELD_NUMBER: _ClassVar[int]
    OPPONENTS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    TIMEOUTS_FIELD_NUMBER: _ClassVar[int]
    MEAN_DEPTH_FIELD_NUMBER: _ClassVar[int]
    SEEN_FROM_FIELD_NUMBER: _ClassVar[int]
    SHADOWS_FIELD_NUMBER: _ClassVar[int]
    ENDED_AT_FIELD_NUMBER: _ClassVar[int]
    CONTROL_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    SETUP_FIELD_NUMBER: _ClassVar[int]
    SEARCHED_FIELD_NUMBER: _ClassVar[int]
    MEAN_LATENCY_MS_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    LAST_TURN_FIELD_NUMBER: _ClassVar[int]
    BEGAN_AT_FIELD_NUMBER: _ClassVar[int]
    MOVES_SEARCHED_FIELD_NUMBER: _ClassVar[int]
    MOVES_BEST_SO_FAR_FIELD_NUMBER: _ClassVar[int]
    MOVES_STAND_IN_FIELD_NUMBER: _ClassVar[int]
    MOVES_FAILED_FIELD_NUMBER: _ClassVar[int]
    DIED_LATE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    snake_id: str
    snake: str
    experiment: str
    arm: str
    strategy: str
    drawn: bool
    ruleset: str
    map: str
    width: int
    height: int
    timeout_ms: int
    opponents: _containers.RepeatedScalarFieldContainer[str]
    result: GameResult
    place: int
    turns: int
    moves: int
    timeouts: int
    mean_depth: float
    seen_from: int
    shadows: _containers.MessageMap[str, ShadowRecord]
    ended_at: _timestamp_pb2.Timestamp
    control: str
    shares: Shares
    setup: str
    searched: SearchedStrategies
    mean_latency_ms: float
    part: str
    ended: bool
    last_turn: int
    began_at: _timestamp_pb2.Timestamp
    moves_searched: int
    moves_best_so_far: int
    moves_stand_in: int
    moves_failed: int
    died_late: bool
    def __init__(self, game_id: _Optional[str] = ..., snake_id: _Optional[str] = ..., snake: _Optional[str] = ..., experiment: _Optional[str] = ..., arm: _Optional[str] = ..., strategy: _Optional[str] = ..., drawn: bool = ..., ruleset: _Optional[str] = ..., map: _Optional[str] = ..., width: _Optional[int] = ..., height: _Optional[int] = ..., timeout_ms: _Optional[int] = ..., opponents: _Optional[_Iterable[str]] = ..., result: _Optional[_Union[GameResult, str]] = ..., place: _Optional[int] = ..., turns: _Optional[int] = ..., moves: _Optional[int] = ..., timeouts: _Optional[int] = ..., mean_depth: _Optional[float] = ..., seen_from: _Optional[int] = ..., shadows: _Optional[_Mapping[str, ShadowRecord]] = ..., ended_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., control: _Optional[str] = ..., shares: _Optional[_Union[Shares, _Mapping]] = ..., setup: _Optional[str] = ..., searched: _Optional[_Union[SearchedStrategies, _Mapping]] = ..., mean_latency_ms: _Optional[float] = ..., part: _Optional[str] = ..., ended: bool = ..., last_turn: _Optional[int] = ..., began_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., moves_searched: _Optional[int] = ..., moves_best_so_far: _Optional[int] = ..., moves_stand_in: _Optional[int] = ..., moves_failed: _Optional[int] = ..., died_late: bool = ...) -> None: ...

class Shares(_message.Message):
    __slots__ = ("by_arm",)
    class ByArmEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    BY_ARM_FIELD_NUMBER: _ClassVar[int]
    by_arm: _containers.ScalarMap[str, float]
    def __init__(self, by_arm: _Optional[_Mapping[str, float]] = ...) -> None: ...

class SearchedStrategies(_message.Message):
    __slots__ = ("by_name",)
    class ByNameEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: StrategyRecord
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[StrategyRecord, _Mapping]] = ...) -> None: ...
    BY_NAME_FIELD_NUMBER: _ClassVar[int]
    by_name: _containers.MessageMap[str, StrategyRecord]
    def __init__(self, by_name: _Optional[_Mapping[str, StrategyRecord]] = ...) -> None: ...

class StrategyRecord(_message.Message):
    __slots__ = ("weights", "digest")
    class WeightsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    weights: _containers.ScalarMap[str, float]
    digest: str
    def __init__(self, weights: _Optional[_Mapping[str, float]] = ..., digest: _Optional[str] = ...) -> None: ...

class ShadowRecord(_message.Message):
    __slots__ = ("strategy", "compared", "agreed", "mean_depth", "mean_score", "played_mean_depth", "played_mean_score")
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    COMPARED_FIELD_NUMBER: _ClassVar[int]
    AGREED_FIELD_NUMBER: _ClassVar[int]
    MEAN_DEPTH_FIELD_NUMBER: _ClassVar[int]
    MEAN_SCORE_FIELD_NUMBER: _ClassVar[int]
    PLAYED_MEAN_DEPTH_FIELD_NUMBER: _ClassVar[int]
    PLAYED_MEAN_SCORE_FIELD_NUMBER: _ClassVar[int]
    strategy: str
    compared: int
    agreed: int
    mean_depth: float
    mean_score: float
    played_mean_depth: float
    played_mean_score: float
    def __init__(self, strategy: _Optional[str] = ..., compared: _Optional[int] = ..., agreed: _Optional[int] = ..., mean_depth: _Optional[float] = ..., mean_score: _Optional[float] = ..., played_mean_depth: _Optional[float] = ..., played_mean_score: _Optional[float] = ...) -> None: ...

class Status(_message.Message):
    __slots__ = ("readiness", "snakes", "searchers", "experiments", "moves", "started_at", "probes", "port")
    READINESS_FIELD_NUMBER: _ClassVar[int]
    SNAKES_FIELD_NUMBER: _ClassVar[int]
    SEARCHERS_FIELD_NUMBER: _ClassVar[int]
    EXPERIMENTS_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    PROBES_FIELD_NUMBER: _ClassVar[int]
    PORT_FIELD_NUMBER: _ClassVar[int]
    readiness: Readiness
    snakes: _containers.RepeatedCompositeFieldContainer[SnakeStatus]
    searchers: _containers.RepeatedCompositeFieldContainer[SearcherStatus]
    experiments: _containers.RepeatedCompositeFieldContainer[ExperimentStatus]
    moves: MovesStatus
    started_at: _timestamp_pb2.Timestamp
    probes: int
    port: int
    def __init__(self, readiness: _Optional[_Union[Readiness, _Mapping]] = ..., snakes: _Optional[_Iterable[_Union[SnakeStatus, _Mapping]]] = ..., searchers: _Optional[_Iterable[_Union[SearcherStatus, _Mapping]]] = ..., experiments: _Optional[_Iterable[_Union[ExperimentStatus, _Mapping]]] = ..., moves: _Optional[_Union[MovesStatus, _Mapping]] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., probes: _Optional[int] = ..., port: _Optional[int] = ...) -> None: ...

class Readiness(_message.Message):
    __slots__ = ("is_ready", "reason", "warnings", "compiling")
    IS_READY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    COMPILING_FIELD_NUMBER: _ClassVar[int]
    is_ready: bool
    reason: str
    warnings: _containers.RepeatedScalarFieldContainer[str]
    compiling: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, is_ready: bool = ..., reason: _Optional[str] = ..., warnings: _Optional[_Iterable[str]] = ..., compiling: _Optional[_Iterable[str]] = ...) -> None: ...

class SnakeStatus(_message.Message):
    __slots__ = ("path", "name", "color", "head", "tail", "strategies", "has_token")
    PATH_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    TAIL_FIELD_NUMBER: _ClassVar[int]
    STRATEGIES_FIELD_NUMBER: _ClassVar[int]
    HAS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    path: str
    name: str
    color: str
    head: str
    tail: str
    strategies: _containers.RepeatedScalarFieldContainer[str]
    has_token: bool
    def __init__(self, path: _Optional[str] = ..., name: _Optional[str] = ..., color: _Optional[str] = ..., head: _Optional[str] = ..., tail: _Optional[str] = ..., strategies: _Optional[_Iterable[str]] = ..., has_token: bool = ...) -> None: ...

class SearcherStatus(_message.Message):
    __slots__ = ("address", "trouble", "version")
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    TROUBLE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    address: str
    trouble: str
    version: str
    def __init__(self, address: _Optional[str] = ..., trouble: _Optional[str] = ..., version: _Optional[str] = ...) -> None: ...

class ExperimentStatus(_message.Message):
    __slots__ = ("name", "arms")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARMS_FIELD_NUMBER: _ClassVar[int]
    name: str
    arms: _containers.RepeatedCompositeFieldContainer[ArmStatus]
    def __init__(self, name: _Optional[str] = ..., arms: _Optional[_Iterable[_Union[ArmStatus, _Mapping]]] = ...) -> None: ...

class ArmStatus(_message.Message):
    __slots__ = ("name", "strategy", "share")
    NAME_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    name: str
    strategy: str
    share: float
    def __init__(self, name: _Optional[str] = ..., strategy: _Optional[str] = ..., share: _Optional[float] = ...) -> None: ...

class MovesStatus(_message.Message):
    __slots__ = ("since", "answered", "late", "best_so_far", "reflexes", "median_ms", "p99_ms", "searcher_restarts", "console_restarts")
    SINCE_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_FIELD_NUMBER: _ClassVar[int]
    LATE_FIELD_NUMBER: _ClassVar[int]
    BEST_SO_FAR_FIELD_NUMBER: _ClassVar[int]
    REFLEXES_FIELD_NUMBER: _ClassVar[int]
    MEDIAN_MS_FIELD_NUMBER: _ClassVar[int]
    P99_MS_FIELD_NUMBER: _ClassVar[int]
    SEARCHER_RESTARTS_FIELD_NUMBER: _ClassVar[int]
    CONSOLE_RESTARTS_FIELD_NUMBER: _ClassVar[int]
    since: _timestamp_pb2.Timestamp
    answered: int
    late: int
    best_so_far: int
    reflexes: int
    median_ms: float
    p99_ms: float
    searcher_restarts: int
    console_restarts: int
    def __init__(self, since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., answered: _Optional[int] = ..., late: _Optional[int] = ..., best_so_far: _Optional[int] = ..., reflexes: _Optional[int] = ..., median_ms: _Optional[float] = ..., p99_ms: _Optional[float] = ..., searcher_restarts: _Optional[int] = ..., console_restarts: _Optional[int] = ...) -> None: ...

class WatchRequest(_message.Message):
    __slots__ = ("game_id",)
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    def __init__(self, game_id: _Optional[str] = ...) -> None: ...

class WatchResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: Event
    def __init__(self, event: _Optional[_Union[Event, _Mapping]] = ...) -> None: ...
