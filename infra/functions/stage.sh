#!/bin/sh
# Copy the files that are deployed as a function into a folder: infra/functions/stage.sh FOLDER
set -eu

if [ $# -ne 1 ]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
for part in pyproject.toml README.md LICENSE protos commandline viewer estimation gateway infra/functions/main.py infra/functions/requirements.txt; do
  cp -R "$top/$part" "$1/"
done
