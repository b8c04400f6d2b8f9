#!/usr/bin/env bash
# grpcio 1.85.1: with https_proxy set, a channel to this very machine goes to the proxy, and no_proxy=* changes nothing.
#
# Most HTTP clients exempt no loopback address either, but read * as every host. gRPC compares * with the end of the
# host's name. It knows networks such as 127.0.0.0/8, but compares them with the text of the target, so they don't
# cover localhost. The channel's argument grpc.enable_http_proxy=0 works always.
#
# Seen on Linux with Python 3.11; the proxy is a port on which nothing listens:
#   no_proxy               127.0.0.1      localhost
#   (unset)                UNAVAILABLE    UNAVAILABLE
#   *                      UNAVAILABLE    UNAVAILABLE
#   127.0.0.0/8            ok             UNAVAILABLE
#   localhost,127.0.0.1    ok             ok
#   (the argument)         ok             ok
# Python's own urllib.request.proxy_bypass is true for both hosts with *.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check grpcio==1.85.1
cat > "$folder/see.py" <<'PYTHON'
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.request import proxy_bypass

for name in list(os.environ):
    if name.lower().endswith("_proxy"):
        del os.environ[name]
os.environ["https_proxy"] = "http://127.0.0.1:1"

import grpc

ECHO = grpc.method_handlers_generic_handler(
    "see.Echo", {"Call": grpc.unary_unary_rpc_method_handler(lambda request, _context: request)}
)
EXPECTED = {
    None: ("UNAVAILABLE", "UNAVAILABLE"),
    "*": ("UNAVAILABLE", "UNAVAILABLE"),
    "127.0.0.0/8": ("ok", "UNAVAILABLE"),
    "localhost,127.0.0.1": ("ok", "ok"),
}


def call(target: str, *options: tuple[str, int]) -> str:
    try:
        with grpc.insecure_channel(target, options=options) as channel:
            return channel.unary_unary("/see.Echo/Call")(b"ok", timeout=10).decode()
    except grpc.RpcError as error:
        return error.code().name


server = grpc.server(ThreadPoolExecutor(1))
server.add_generic_rpc_handlers((ECHO,))
port = server.add_insecure_port("127.0.0.1:0")
server.start()
targets = f"127.0.0.1:{port}", f"localhost:{port}"
found = {}
for no_proxy in EXPECTED:
    os.environ.pop("no_proxy", None)
    if no_proxy:
        os.environ["no_proxy"] = no_proxy
    found[no_proxy] = tuple(map(call, targets))
os.environ.pop("no_proxy")
direct = tuple(call(target, ("grpc.enable_http_proxy", 0)) for target in targets)
os.environ["no_proxy"] = "*"
others = proxy_bypass("127.0.0.1") and proxy_bypass("localhost")
server.stop(0).wait()
print(f"{'no_proxy':23}{'127.0.0.1':15}localhost")
for no_proxy, said in found.items():
    print(f"{no_proxy or '(unset)':23}{said[0]:15}{said[1]}")
print(f"{'(the argument)':23}{direct[0]:15}{direct[1]}")
print("urllib with *: no proxy" if others else "urllib with *: the proxy")
sys.exit(not (found == EXPECTED and direct == ("ok", "ok") and others))
PYTHON
GRPC_VERBOSITY=NONE "$folder/venv/bin/python" "$folder/see.py"
