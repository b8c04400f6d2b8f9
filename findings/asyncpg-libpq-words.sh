#!/usr/bin/env bash
# asyncpg 0.32.0: words of a libpq URL that concern only the client go to the server, as settings of the session. A
# server refuses them ("unrecognized configuration parameter"), so the URL of a provider that ends in
# channel_binding=require or connect_timeout=10 never connects. A stand-in for a server shows what it receives.
# This is documented for options that asyncpg does not recognize, but it also concerns channel_binding, a word of
# security. The value "system" of sslrootcert, which libpq 16 knows, is taken for a file, and the error has no name.
#
# Seen:
#   the server receives: channel_binding=require connect_timeout=10 keepalives=1
#   sslrootcert=system: FileNotFoundError [Errno 2] No such file or directory, file name None
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q asyncpg==0.32.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import asyncio
import struct

import asyncpg

WORDS = {"channel_binding": "require", "connect_timeout": "10", "keepalives": "1"}


async def main():
    received = asyncio.get_running_loop().create_future()

    async def serve(reader, writer):
        """Read the startup message, as every PostgreSQL server does first, and hang up."""
        (size,) = struct.unpack("!I", await reader.readexactly(4))
        parts = (await reader.readexactly(size - 4))[4:].rstrip(b"\0").decode().split("\0")
        received.set_result(dict(zip(parts[::2], parts[1::2])))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    words = "&".join(f"{name}={value}" for name, value in WORDS.items())
    try:
        await asyncpg.connect(f"postgresql://me:p@127.0.0.1:{port}/games?sslmode=disable&{words}")
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        pass
    startup = await received
    seen = {name: value for name, value in startup.items() if name in WORDS}
    print("the server receives:", *(f"{name}={value}" for name, value in sorted(seen.items())))
    assert seen == WORDS
    server.close()
    try:
        await asyncpg.connect("postgresql://me:p@127.0.0.1:1/games?sslmode=verify-full&sslrootcert=system")
    except OSError as error:
        print(f"sslrootcert=system: {type(error).__name__} {error}, file name {error.filename}")
        assert isinstance(error, FileNotFoundError) and error.filename is None


asyncio.run(asyncio.wait_for(main(), 30))
PYTHON
