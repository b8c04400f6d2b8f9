"""The generated code of the contract, against the dependencies that it has to run with."""

import re
import tomllib
from pathlib import Path

from packaging.version import Version

from battlesnake_search.contract import analysis_pb2, record_pb2, search_pb2, search_pb2_grpc

ROOT = Path(__file__).parents[1]


def lower_bound(package: str) -> str:
    """The lowest version of a dependency that pyproject.toml allows."""
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    bounds = [re.fullmatch(rf"{package}>=([\d.]+)(,<.*)?", dependency) for dependency in dependencies]
    return next(bound[1] for bound in bounds if bound)


def test_the_services_have_their_published_names() -> None:
    """Callers in any language find the services under the names that the contract promises."""
    service = search_pb2.DESCRIPTOR.services_by_name["SearchService"]
    assert service.full_name == "battlesnake.search.v1.SearchService"
    assert [method.name for method in service.methods] == ["Search", "StreamSearch", "ListStrategies"]
    service = analysis_pb2.DESCRIPTOR.services_by_name["AnalysisService"]
    assert service.full_name == "battlesnake.search.v1.AnalysisService"
    assert [method.name for method in service.methods] == ["AnalyzeGame", "Evaluate", "Advance"]
    service = record_pb2.DESCRIPTOR.services_by_name["RecordService"]
    assert service.full_name == "battlesnake.record.v1.RecordService"
    assert [method.name for method in service.methods] == ["Record", "Watch"]


def test_unary_and_streaming_requests_have_the_same_fields() -> None:
    """Code that fills a SearchRequest can also fill a StreamSearchRequest."""
    unary, streaming = search_pb2.SearchRequest.DESCRIPTOR, search_pb2.StreamSearchRequest.DESCRIPTOR
    assert {name: field.number for name, field in unary.fields_by_name.items()} == {
        name: field.number for name, field in streaming.fields_by_name.items()
    }


def test_generated_code_runs_with_the_oldest_dependencies() -> None:
    """Generated code refuses a runtime older than its generator, so our lower bounds are at least as high."""
    protobuf = re.search(r"Protobuf Python Version: (\S+)", Path(search_pb2.__file__).read_text())
    assert protobuf and Version(protobuf[1]) <= Version(lower_bound("protobuf"))
    assert lower_bound("grpcio") == search_pb2_grpc.GRPC_GENERATED_VERSION


def test_other_languages_get_names_of_their_own() -> None:
    """Java code has one file for each class, and code of all languages has the names that are usual there."""
    for file, name in ((search_pb2, "SearchProto"), (analysis_pb2, "AnalysisProto")):
        options = file.DESCRIPTOR.GetOptions()
        assert (options.java_package, options.java_outer_classname) == ("com.battlesnake.search.v1", name)
        assert options.go_package == "battlesnake/search/v1;searchv1"
        assert (options.java_multiple_files, options.csharp_namespace) == (True, "Battlesnake.Search.V1")
    options = record_pb2.DESCRIPTOR.GetOptions()
    assert (options.java_package, options.java_outer_classname) == (
        "com.battlesnake.record.v1",
        "RecordProto",
    )
    assert options.go_package == "battlesnake/record/v1;recordv1"
    assert (options.java_multiple_files, options.csharp_namespace) == (True, "Battlesnake.Record.V1")
