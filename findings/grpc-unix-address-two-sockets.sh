#!/usr/bin/env bash
# grpcio 1.85.1: a server and a client read the same address `unix:PATH` in two ways.
#
# A server takes a comma, # or ? of the path as it is, so it listens at exactly that path, and reports success.
# A client that is given the very same text ends the path at # or ?, and takes a comma for the end of an address,
# even where it is written as %2C. So it looks for a socket elsewhere. %23 and %3F work on both sides, and nothing
# works for a comma.
#
# Seen on Linux with Python 3.11 (the client's answer is ok, or the code of its error):
#   address         the server's socket   the client
#   plain/s         plain/s               ok
#   a%20b/s         a b/s                 ok
#   a#b/s           a#b/s                 UNAVAILABLE
#   a%23b/s         a#b/s                 ok
#   a?b/s           a?b/s                 UNAVAILABLE
#   a,b/s           a,b/s                 UNAVAILABLE
#   a%2Cb/s         a,b/s                 UNAVAILABLE
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check grpcio==1.85.1
cat > "$folder/see.py" <<'PYTHON'
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc

ECHO = grpc.method_handlers_generic_handler(
    "see.Echo", {"Call": grpc.unary_unary_rpc_method_handler(lambda request, _context: request)}
)
EXPECTED = {
    "plain/s": ("plain/s", "ok"),
    "a%20b/s": ("a b/s", "ok"),
    "a#b/s": ("a#b/s", "UNAVAILABLE"),
    "a%23b/s": ("a#b/s", "ok"),
    "a?b/s": ("a?b/s", "UNAVAILABLE"),
    "a,b/s": ("a,b/s", "UNAVAILABLE"),
    "a%2Cb/s": ("a,b/s", "UNAVAILABLE"),
}


def see(folder: Path, name: str) -> tuple[str, str]:
    address = f"unix:{folder}/{name}"
    server = grpc.server(ThreadPoolExecutor(1))
    server.add_generic_rpc_handlers((ECHO,))
    server.add_insecure_port(address)
    server.start()
    [socket] = [file for file in folder.rglob("*") if file.is_socket()]
    try:
        with grpc.insecure_channel(address) as channel:
            said = channel.unary_unary("/see.Echo/Call")(b"ok", timeout=10).decode()
    except grpc.RpcError as error:
        said = error.code().name
    server.stop(0).wait()
    return str(socket.relative_to(folder)), said


folder = Path(sys.argv[1])
for name in ("plain", "a b", "a#b", "a?b", "a,b", "a"):
    (folder / name).mkdir(parents=True)
found = {name: see(folder, name) for name in EXPECTED}
print(f"{'address':16}{'the server’s socket':22}the client")
for name, (socket, said) in found.items():
    print(f"{name:16}{socket:22}{said}")
sys.exit(found != EXPECTED)
PYTHON
GRPC_VERBOSITY=NONE "$folder/venv/bin/python" "$folder/see.py" "$folder/s"
