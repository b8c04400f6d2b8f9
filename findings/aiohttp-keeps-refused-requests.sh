#!/usr/bin/env bash
# aiohttp 3.14.5: a server keeps each request that it refuses by an exception until the garbage collector runs.
#
# A handler may raise web.HTTPNotFound or another HTTPException, and the router raises one for an unknown path. The
# exception is the response, and its traceback refers to the function of aiohttp that holds the response: a cycle,
# which also holds the request, its headers, its body and its connection's objects. A returned response frees all of
# it at once. A server that is flooded with refused requests holds thousands of them between two runs of the collector.
#
# Seen on Python 3.11, after 20 requests with the collector switched off:
#   returned      0 requests in memory
#   raised       20 requests in memory
#   no such path 20 requests in memory
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check aiohttp==3.14.5
cat > "$folder/see.py" <<'PYTHON'
import asyncio
import gc
import sys

import aiohttp
from aiohttp import web

REQUESTS = 20
EXPECTED = {"returned": 0, "raised": REQUESTS, "no such path": REQUESTS}


async def returned(_request):
    return web.Response(status=404)


async def raised(_request):
    raise web.HTTPNotFound


async def main() -> bool:
    app = web.Application()
    app.router.add_get("/returned", returned)
    app.router.add_get("/raised", raised)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    url = "http://127.0.0.1:%d/" % runner.addresses[0][1]
    found = {}
    for kind in EXPECTED:
        gc.collect()
        gc.disable()
        async with aiohttp.ClientSession() as session:
            for _ in range(REQUESTS):
                async with session.get(url + kind, headers={"Connection": "close"}) as answer:
                    assert answer.status == 404
        await asyncio.sleep(0.2)
        found[kind] = sum(isinstance(each, web.Request) for each in gc.get_objects())
        gc.enable()
        print(f"{kind:12} {found[kind]:2} requests in memory")
    await runner.cleanup()
    return found == EXPECTED


sys.exit(not asyncio.run(main()))
PYTHON
"$folder/venv/bin/python" "$folder/see.py"
