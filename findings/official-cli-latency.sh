#!/usr/bin/env bash
# BattlesnakeOfficial/rules v1.2.3 (Go), the official command line of Battlesnake.
#
# The field you.latency of a /move is always "0", although the documentation calls it the time of the last
# answer. The time is in the same body, at the snake with the own id in board.snakes, and you.latency is
# right in the /end only. A snake that reads its own latency from `you` believes that its network takes no time.
# Seen (a snake that takes 60 ms): turn 2: you.latency "0", board.snakes "60" or more; /end: you.latency "60" or more
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export GOFLAGS=-mod=mod
go mod init probe 2>/dev/null
go get github.com/BattlesnakeOfficial/rules@v1.2.3 github.com/BattlesnakeOfficial/rules/cli/commands@v1.2.3 2>/dev/null
go build -o battlesnake github.com/BattlesnakeOfficial/rules/cli/battlesnake
cat > probe.py <<'P'
import json
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

bodies = {}


class Snake(BaseHTTPRequestHandler):
    def do_GET(self):
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if content:
            body = json.loads(content)
            bodies[self.path, body["turn"]] = body
        if self.path == "/move":
            time.sleep(0.06)
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
url = f"http://127.0.0.1:{server.server_port}"
command = ["./battlesnake", "play", "--name=a", f"--url={url}", "--timeout=5000", "--seed=1"]
subprocess.run(command, check=True, capture_output=True, timeout=60)
moves = [body for (path, turn), body in bodies.items() if path == "/move" and turn]
own = {body["you"]["latency"] for body in moves}
board = {int(snake["latency"]) for body in moves for snake in body["board"]["snakes"]}
[end] = [body["you"]["latency"] for (path, _), body in bodies.items() if path == "/end"]
print("BattlesnakeOfficial/rules v1.2.3")
print(f"/move: you.latency {sorted(own)}, board.snakes {sorted(board)}; /end: you.latency {end}")
sys.exit(not moves or own != {"0"} or min(board) < 60 or int(end) < 60)
P
python3 probe.py
