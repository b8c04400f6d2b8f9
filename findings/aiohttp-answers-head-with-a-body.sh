#!/usr/bin/env bash
# aiohttp 3.14.5: a server answers HEAD with the body of a StreamResponse, and the next answer is unreadable.
#
# `add_get` allows HEAD, too. For a web.Response the server leaves out the body. The chunks of a StreamResponse, such as
# server-sent events, are sent. A client that keeps the connection reads them as the beginning of the next answer.
#
# Seen on Python 3.11; two HEAD requests on one connection:
#   Response        the second answer: HTTP/1.1 200 OK
#   StreamResponse  the second answer: helloHTTP/1.1 200 OK
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check aiohttp==3.14.5
cat > "$folder/see.py" <<'PYTHON'
import asyncio
import sys

from aiohttp import web

EXPECTED = {"Response": "HTTP/1.1 200 OK", "StreamResponse": "helloHTTP/1.1 200 OK"}


async def whole(_request):
    return web.Response(text="hello")


async def stream(request):
    response = web.StreamResponse()
    await response.prepare(request)
    await response.write(b"hello")
    return response


async def second_answer(port, path):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(2):
        writer.write(b"HEAD %b HTTP/1.1\r\nHost: localhost\r\n\r\n" % path.encode())
        line = await asyncio.wait_for(reader.readline(), 10)
        if line.startswith(b"HTTP/"):
            await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
        await asyncio.sleep(0.2)
    writer.close()
    return line.decode().strip()


async def main() -> bool:
    app = web.Application()
    app.router.add_get("/Response", whole)
    app.router.add_get("/StreamResponse", stream)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    found = {}
    for kind in EXPECTED:
        found[kind] = await second_answer(port, f"/{kind}")
        print(f"{kind:15} the second answer: {found[kind]}")
    await runner.cleanup()
    return found == EXPECTED


sys.exit(not asyncio.run(main()))
PYTHON
"$folder/venv/bin/python" "$folder/see.py"
