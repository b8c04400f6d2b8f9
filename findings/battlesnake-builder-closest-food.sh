#!/usr/bin/env bash
# battlesnake-builder 0.1.2 (a Python package), a framework for Battlesnakes.
#
# Its "Manhattan distance" adds signed differences. A cell to the left or below has a negative distance, a
# cell on the diagonal has the distance 0, and Board.closest_food prefers what lies farthest right and above.
# Board.is_move_safe raises TypeError for every move on the board, because it adds a part to a list of parts.
# Seen: closest food to (5, 5) of (5, 6) and (10, 10): (10, 10); distance to (3, 7): 0; is_move_safe: TypeError
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check battlesnake-builder==0.1.2 werkzeug==2.0.3
cat > probe.py <<'P'
import sys
from importlib.metadata import version

from battlesnake_builder.board import Board

part = {"x": 5, "y": 5}
snake = dict(id="a", name="a", head=part, body=[part, {"x": 5, "y": 4}], health=90, latency="0", length=2)
snake |= {"shout": "", "squad": ""}
food = [{"x": 5, "y": 6}, {"x": 10, "y": 10}]
board = Board.from_json({"height": 11, "width": 11, "food": food, "hazards": [], "snakes": [snake]})
[mine] = board.snakes
found = board.closest_food(mine)
diagonal = mine.head.coord.manhattan_distance(type(found)(3, 7))
try:
    safe = str(board.is_move_safe(mine, "left"))
except TypeError:
    safe = "TypeError"
print("battlesnake-builder", version("battlesnake-builder"))
print(f"closest food to (5, 5) of (5, 6) and (10, 10): ({found.x}, {found.y})")
print(f"distance to (3, 7): {diagonal}; is_move_safe: {safe}")
sys.exit((found.x, found.y, diagonal, safe) != (10, 10, 0, "TypeError"))
P
venv/bin/python probe.py
