#!/usr/bin/env bash
# BattlesnakeOfficial/rules v1.2.3 (Go), the official command line of Battlesnake.
#
# It calls the index of a snake's URL as written, but decodes the path before it appends start, move and end.
# So a `%2F` in the path, as in a token, becomes a `/` for three of the four requests, `//` and `..` are
# resolved in them, and the requests of one snake reach two different paths. A `#` is a part of the path.
# Seen: for /a%2Fb//c?k=%2F: GET /a%2Fb//c?k=%2F, POST /a/b/c/start?k=%2F; for /x#y: GET /x%23y, POST /x%23y/start
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export GOFLAGS=-mod=mod
go mod init probe 2>/dev/null
go get github.com/BattlesnakeOfficial/rules@v1.2.3 github.com/BattlesnakeOfficial/rules/cli/commands@v1.2.3 2>/dev/null
go build -o battlesnake github.com/BattlesnakeOfficial/rules/cli/battlesnake
cat > probe.py <<'P'
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

seen = []


class Snake(BaseHTTPRequestHandler):
    def do_GET(self):
        seen.append(f"{self.command} {self.path}")
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b'{"move": "up"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Snake)
threading.Thread(target=server.serve_forever, daemon=True).start()


def requests(path):
    seen.clear()
    url = f"http://127.0.0.1:{server.server_port}{path}"
    command = ["./battlesnake", "play", "--name=a", f"--url={url}", "--width=3", "--height=3", "--timeout=5000"]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return list(dict.fromkeys(seen))


coded, hashed = requests("/a%2Fb//c?k=%2F"), requests("/x#y")
print("BattlesnakeOfficial/rules v1.2.3", *coded, *hashed, sep="\n")
verbs = ("start", "move", "end")
expected = ["GET /a%2Fb//c?k=%2F", *(f"POST /a/b/c/{verb}?k=%2F" for verb in verbs)]
sys.exit(coded != expected or hashed != ["GET /x%23y", *(f"POST /x%23y/{verb}" for verb in verbs)])
P
python3 probe.py
