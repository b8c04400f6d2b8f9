#!/usr/bin/env bash
# grpcio 1.85.1: a stream that the server refuses can end with INTERNAL at an asyncio client, without the server's status.
#
# A server refuses a stream at once, with RESOURCE_EXHAUSTED and a text. A client of grpc.aio that gives its requests as an
# asynchronous iterator is still sending the first one. For some of these calls the client reports INTERNAL with the
# details "Internal error from Core", which come from its own failed write. The server's status and text are lost. So a
# client can't tell a limit from a fault of the server, and repeats or counts the call wrongly.
#
# Seen on Python 3.11, with 2,000 streams of one channel; the numbers vary:
#   RESOURCE_EXHAUSTED: too many streams: 1689
#   INTERNAL: Internal error from Core: 311
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check grpcio==1.85.1
"$folder/venv/bin/python" - <<'PYTHON'
import asyncio
from collections import Counter

import grpc.aio

STREAMS = 2000


class Refusing(grpc.GenericRpcHandler):
    def service(self, details):
        return grpc.stream_stream_rpc_method_handler(self.refuse)

    async def refuse(self, messages, context):
        await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many streams")
        yield b""


async def main():
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((Refusing(),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    found = Counter()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:

        async def messages():
            yield b"hello"
            await asyncio.sleep(5)

        async def call():
            try:
                async for _ in channel.stream_stream("/test.Service/Method")(messages()):
                    pass
            except grpc.aio.AioRpcError as error:
                found[f"{error.code().name}: {error.details()}"] += 1

        await asyncio.gather(*(call() for _ in range(STREAMS)))
    await server.stop(None)
    for status, number in found.most_common():
        print(f"{status}: {number}")
    if not found["INTERNAL: Internal error from Core"]:
        raise SystemExit("all streams have the server's status now")


asyncio.run(main())
PYTHON
