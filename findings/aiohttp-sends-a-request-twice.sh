#!/usr/bin/env bash
# aiohttp 3.14.5: a PUT or DELETE on a new connection is sent twice if the server closes it without an answer.
#
# A client may repeat an idempotent request when an idle connection turns out to be closed. aiohttp repeats it on a
# connection that it has just opened, too, and the program gets one error for two requests. A CONNECT to a proxy is
# repeated in the same way. POST is sent once.
#
# Seen on Python 3.11; the server reads the first line of each request and closes:
#   GET      2 requests, ServerDisconnectedError
#   PUT      2 requests, ServerDisconnectedError
#   DELETE   2 requests, ServerDisconnectedError
#   POST     1 request, ServerDisconnectedError
#   CONNECT  2 requests, ServerDisconnectedError
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check aiohttp==3.14.5
cat > "$folder/see.py" <<'PYTHON'
import asyncio
import sys

import aiohttp

EXPECTED = {"GET": 2, "PUT": 2, "DELETE": 2, "POST": 1, "CONNECT": 2}


async def main() -> bool:
    lines = []

    async def close(reader, writer):
        lines.append(await reader.readline())
        writer.close()

    server = await asyncio.start_server(close, "127.0.0.1", 0)
    url = "http://127.0.0.1:%d" % server.sockets[0].getsockname()[1]
    found = {}
    for method in EXPECTED:
        lines.clear()
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as session:
            try:
                if method == "CONNECT":
                    await session.get("https://server.invalid/", proxy=url)
                else:
                    await session.request(method, url)
            except aiohttp.ServerDisconnectedError as error:
                found[method] = len(lines)
                print(f"{method:8} {len(lines)} of {lines[0].decode().strip()!r}, {type(error).__name__}")
    return found == EXPECTED


sys.exit(not asyncio.run(main()))
PYTHON
"$folder/venv/bin/python" "$folder/see.py"
