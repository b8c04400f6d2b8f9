#!/bin/sh
# Copy the files that are deployed as a function into a folder: infra/functions/stage.sh FOLDER
set -eu

if [ $# -ne 1 ]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
top=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-$top/.venv/bin/python}
mkdir -p "$1"
cp "$top/infra/functions/main.py" "$1/"
rm -f "$1"/battlesnake_search-*.whl
"$python" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$1" "$top"
cd "$1"
wheel=$(ls battlesnake_search-*.whl)
# What is installed must have its hash here, the project itself too.
cp "$top/requirements/function.txt" requirements.txt
echo "./$wheel $("$python" -m pip hash "$wheel" | tail -n 1)" >> requirements.txt
