from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ScaledObjectRef(_message.Message):
    __slots__ = ("name", "namespace", "scaler_metadata")
    class ScalerMetadataEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SCALER_METADATA_FIELD_NUMBER: _ClassVar[int]
    name: str
    namespace: str
    scaler_metadata: _containers.ScalarMap[str, str]
    def __init__(self, name: _Optional[str] = ..., namespace: _Optional[str] = ..., scaler_metadata: _Optional[_Mapping[str, str]] = ...) -> None: ...

class IsActiveResponse(_message.Message):
    __slots__ = ("result",)
    RESULT_FIELD_NUMBER: _ClassVar[int]
    result: bool
    def __init__(self, result: bool = ...) -> None: ...

class GetMetricSpecResponse(_message.Message):
    __slots__ = ("metric_specs",)
    METRIC_SPECS_FIELD_NUMBER: _ClassVar[int]
    metric_specs: _containers.RepeatedCompositeFieldContainer[MetricSpec]
    def __init__(self, metric_specs: _Optional[_Iterable[_Union[MetricSpec, _Mapping]]] = ...) -> None: ...

class MetricSpec(_message.Message):
    __slots__ = ("metric_name", "target_size_float")
    METRIC_NAME_FIELD_NUMBER: _ClassVar[int]
    TARGET_SIZE_FLOAT_FIELD_NUMBER: _ClassVar[int]
    metric_name: str
    target_size_float: float
    def __init__(self, metric_name: _Optional[str] = ..., target_size_float: _Optional[float] = ...) -> None: ...

class GetMetricsRequest(_message.Message):
    __slots__ = ("scaled_object_ref", "metric_name")
    SCALED_OBJECT_REF_FIELD_NUMBER: _ClassVar[int]
    METRIC_NAME_FIELD_NUMBER: _ClassVar[int]
    scaled_object_ref: ScaledObjectRef
    metric_name: str
    def __init__(self, scaled_object_ref: _Optional[_Union[ScaledObjectRef, _Mapping]] = ..., metric_name: _Optional[str] = ...) -> None: ...

class GetMetricsResponse(_message.Message):
    __slots__ = ("metric_values",)
    METRIC_VALUES_FIELD_NUMBER: _ClassVar[int]
    metric_values: _containers.RepeatedCompositeFieldContainer[MetricValue]
    def __init__(self, metric_values: _Optional[_Iterable[_Union[MetricValue, _Mapping]]] = ...) -> None: ...

class MetricValue(_message.Message):
    __slots__ = ("metric_name", "metric_value_float")
    METRIC_NAME_FIELD_NUMBER: _ClassVar[int]
    METRIC_VALUE_FLOAT_FIELD_NUMBER: _ClassVar[int]
    metric_name: str
    metric_value_float: float
    def __init__(self, metric_name: _Optional[str] = ..., metric_value_float: _Optional[float] = ...) -> None: ...
