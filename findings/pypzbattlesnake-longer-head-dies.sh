#!/usr/bin/env bash
# pypzbattlesnake 0.0.3 (a Python package), "a multiagent Snake environment inspired by BattleSnake".
#
# In Battlesnake, the longer of two snakes whose heads meet lives on, and a snake eats before its hunger is
# tested. Here both snakes die whatever their lengths, and a snake with health 1 starves on the food. So a
# policy that was trained here avoids duels of heads that it would win.
# Seen: heads of lengths 5 and 2 meet: both are dead; health 1 moves onto food: dead
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

from pypzbattlesnake.common import Action
from pypzbattlesnake.env import BattleSnake

LONG, SHORT, *OTHERS = AGENTS = [f"snake_{team}_0" for team in range(4)]


def dead(moves, prepare):
    """Play one turn of four snakes of different teams; two of them wait elsewhere."""
    env = BattleSnake(4, 1, size=(11, 11), min_food_count=0)
    env.reset()
    for row, agent in enumerate(OTHERS):
        env.snakes[agent].body = [(0, row), (1, row)]
    env.snakes[LONG].body = [(x, 5) for x in range(5)]
    env.snakes[SHORT].body = [(7, 5), (6, 5)]
    prepare(env)
    env.step({agent: move - 1 for agent, move in zip(AGENTS, [*moves, Action.RIGHT, Action.RIGHT])})
    return sorted(env.eliminated_agents)


def hungry(env):
    env.snakes[LONG].health, env.food = 1, {(4, 6)}


met = dead([Action.RIGHT, Action.LEFT], lambda env: None)
fed = dead([Action.DOWN, Action.UP], hungry)
print("pypzbattlesnake", version("pypzbattlesnake"))
print(f"heads of {LONG} (length 5) and {SHORT} (length 2) meet: dead {met}")
print(f"{LONG} with health 1 moves onto food: dead {fed}")
sys.exit((met, fed) != ([LONG, SHORT], [LONG]))
P
PYGAME_HIDE_SUPPORT_PROMPT=1 venv/bin/python probe.py
