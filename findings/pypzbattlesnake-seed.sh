#!/usr/bin/env bash
# pypzbattlesnake 0.0.3 (a Python package), a PettingZoo environment inspired by Battlesnake.
#
# The API of PettingZoo says that reset(seed) makes an environment repeatable. Here the seed goes to numpy's
# global generator, and food comes from a generator that is made anew, without a seed, for each piece. So
# training runs with one seed differ from the first board on.
# Seen: reset(seed=7) five times: 5 different boards
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pypzbattlesnake==0.0.3 pettingzoo==1.25.0 \
    gymnasium==1.2.0 numpy==2.3.2 pygame==2.6.1
cat > probe.py <<'P'
import sys
from importlib.metadata import version

from pypzbattlesnake.env import BattleSnake

boards = set()
for _ in range(5):
    env = BattleSnake(2, 1, size=(11, 11), min_food_count=5)
    env.reset(seed=7)
    boards.add(frozenset((int(x), int(y)) for x, y in env.food))
print("pypzbattlesnake", version("pypzbattlesnake"))
print(f"reset(seed=7) five times: {len(boards)} different boards")
sys.exit(len(boards) == 1)
P
PYGAME_HIDE_SUPPORT_PROMPT=1 venv/bin/python probe.py
