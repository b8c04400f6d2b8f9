"""The calls that the pages make with grpcurl, made as it makes them: by the searcher's reflection."""

import asyncio
import json
import shlex
from collections.abc import Iterator
from typing import Any

import grpc
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from tests.docs.pages import code_blocks, every_page
from tests.support.searchers import searcher
from tests.support.services import free_port

IN_TIME = 10.0
"""Seconds for a call on a busy machine."""


def calls() -> Iterator[tuple[str, str, str]]:
    """Yield the page of each call without TLS, its method and its message."""
    for page in every_page():
        for code in code_blocks(page, "sh"):
            if code.startswith("grpcurl -plaintext"):
                words = shlex.split(code)
                yield page, words[-1], words[words.index("-d") + 1]


def answer(address: str, method: str, message: str) -> dict[str, Any]:
    """Return what a method answers to a message, both as JSON."""
    service, _, name = method.rpartition("/")
    with grpc.insecure_channel(address) as channel:
        pool = DescriptorPool(ProtoReflectionDescriptorDatabase(channel))
        described = pool.FindServiceByName(service).FindMethodByName(name)
        asked, answered = (GetMessageClass(each) for each in (described.input_type, described.output_type))
        call = channel.unary_unary(f"/{method}", asked.SerializeToString, answered.FromString)
        fields: dict[str, Any] = MessageToDict(call(ParseDict(json.loads(message), asked()), timeout=IN_TIME))
    return fields


async def test_each_call_of_a_page_is_answered(compiled: None) -> None:
    """The message is valid JSON of the method's request, and the searcher accepts it."""
    address = f"127.0.0.1:{free_port()}"
    async with searcher(address, "--only", "paranoid/area"):
        for page, method, message in calls():
            assert await asyncio.to_thread(answer, address, method, message), page
    assert {method.partition("/")[2] for _, method, _ in calls()} == {"Search", "AnalyzeGame", "Advance"}
