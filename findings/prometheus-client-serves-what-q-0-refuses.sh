#!/usr/bin/env bash
# prometheus_client 0.26.0: its WSGI application serves the format and the coding that a reader refuses by q=0.
#
# It compares the names in Accept and Accept-Encoding, and never reads the q-values. In HTTP, "gzip;q=0" means that
# gzip is not acceptable (RFC 9110, section 12.4.2), and so does q=0 after a media type.
#
# Seen with prometheus_client 0.26.0, on Python 3.11:
#   Accept-Encoding: gzip;q=0, identity                                    -> Content-Encoding: gzip
#   Accept: application/openmetrics-text;version=1.0.0;q=0, text/plain     -> application/openmetrics-text
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check prometheus_client==0.26.0
cat > "$folder/see.py" <<'PYTHON'
import sys

from prometheus_client import CollectorRegistry, Counter, make_wsgi_app

registry = CollectorRegistry()
Counter("games", "Games so far.", registry=registry)
headers = {}


def start(_status, found, *_):
    headers.update(found)


asked = {
    "HTTP_ACCEPT_ENCODING": "gzip;q=0, identity",
    "HTTP_ACCEPT": "application/openmetrics-text;version=1.0.0;q=0, text/plain",
}
make_wsgi_app(registry)({"REQUEST_METHOD": "GET", "PATH_INFO": "/metrics", "QUERY_STRING": "", **asked}, start)
for name, value in asked.items():
    print(f"{name}: {value}")
print("->", headers)
refused = headers.get("Content-Encoding") == "gzip" and "openmetrics" in headers["Content-Type"]
sys.exit(not refused)
PYTHON
"$folder/venv/bin/python" "$folder/see.py"
