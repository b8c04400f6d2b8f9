"""Our copy of KEDA's contract, against KEDA's own."""

import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2

from battlesnake_search.contract import externalscaler_pb2
from gateway.scaler.service import MetadataError, searches_per_pod
from infra.checks.custom_resources import KEDA, module_folder
from tests.support.dependencies import report_missing

_Field = descriptor_pb2.FieldDescriptorProto


@pytest.fixture
def theirs(tmp_path: Path) -> descriptor_pb2.FileDescriptorProto:
    """The contract as KEDA's clients have it."""
    if shutil.which("go") is None:
        report_missing("Go (it downloads KEDA's contract)", "golang-go")
    shutil.copy(module_folder(KEDA) / "pkg" / "scalers" / "externalscaler" / "externalscaler.proto", tmp_path)
    buf = Path(sys.executable).parent / "buf"
    command = [str(buf), "build", str(tmp_path), "--output", "-", "--as-file-descriptor-set"]
    built = subprocess.run(command, capture_output=True, check=True).stdout
    (file,) = descriptor_pb2.FileDescriptorSet.FromString(built).file
    return file


def _ours() -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto()
    externalscaler_pb2.DESCRIPTOR.CopyToProto(file)
    return file


def _fields(
    messages: Iterable[descriptor_pb2.DescriptorProto], prefix: str = ""
) -> Iterator[tuple[object, ...]]:
    """Yield the wire form of each field, and its name, because styles of names differ."""
    for message in messages:
        for each in message.field:
            yield (
                prefix + message.name,
                each.name.replace("_", "").lower(),
                each.number,
                each.type,
                each.label,
                each.type_name,
            )
        yield from _fields(message.nested_type, f"{message.name}.")


def _calls(file: descriptor_pb2.FileDescriptorProto) -> set[tuple[object, ...]]:
    """Return the calls of the one service, with its full name."""
    (service,) = file.service
    name = f"{file.package}.{service.name}"
    return {
        (name, each.name, each.input_type, each.output_type, each.server_streaming) for each in service.method
    }


def test_the_contract_is_that_of_keda(theirs: descriptor_pb2.FileDescriptorProto) -> None:
    """All that we have of it is the same there."""
    ours = _ours()
    assert set(_fields(ours.message_type)) <= set(_fields(theirs.message_type))
    assert _calls(ours) <= _calls(theirs)


def test_what_we_leave_out_is_old_or_optional(theirs: descriptor_pb2.FileDescriptorProto) -> None:
    """Left out are the integers of former releases, and a stream for changing targets."""
    missing = set(_fields(theirs.message_type)) - set(_fields(_ours().message_type))
    assert {name for _, name, *_ in missing} == {"targetsize", "metricvalue"}
    assert {name for _, name, *_ in _calls(theirs) - _calls(_ours())} == {"StreamMetricSpec"}


OF_KEDA = {"scalerAddress": "scaler.battlesnake:50060", "enableTLS": "false"}


@pytest.mark.parametrize(
    ("metadata", "target"),
    [
        ({}, 2),
        ({"searchesPerPod": ""}, 2),
        ({"searchesPerPod": "4"}, 4),
        ({"searchesPerPod": "0.5"} | OF_KEDA, 0.5),
    ],
)
def test_the_target_is_read(metadata: dict[str, str], target: float) -> None:
    """It is optional, and KEDA's own fields are ignored."""
    assert searches_per_pod(metadata) == target


@pytest.mark.parametrize("value", ["0", "-1", "many", "nan", "inf", "0.0001", "1,5"])
def test_an_invalid_target_is_an_error(value: str) -> None:
    """It names the field, the value and the valid ones."""
    with pytest.raises(MetadataError) as caught:
        searches_per_pod({"searchesPerPod": value})
    assert str(caught.value) == f"searchesPerPod: {value!r} is invalid; valid: a number of 0.001 or more"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("searchPerPod", "searchPerPod: no such field, did you mean searchesPerPod?; valid: searchesPerPod"),
        ("x", "x: no such field; valid: searchesPerPod"),
    ],
)
def test_an_unknown_field_is_an_error(name: str, problem: str) -> None:
    """A misspelt one would silently be the default."""
    with pytest.raises(MetadataError) as caught:
        searches_per_pod({name: "2"} | OF_KEDA)
    assert str(caught.value) == problem
