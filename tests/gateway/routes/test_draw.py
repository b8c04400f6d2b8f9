"""The draw of the arm that plays a game."""

import hashlib
import os
import subprocess
import sys
from math import sqrt
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battlesnake_search.reader import decode
from gateway.routes.config import Arm, Routes, SnakeRoute
from gateway.routes.draw import choose_arm, draw_arm
from tests.gateway.scripted_searcher import REQUESTS

TURN = decode((REQUESTS / "standard-move-mid-42.json").read_bytes())

WEIGHTS = {"red": 1.0, "green": 15.0, "blue": 84.0}
GAMES = [f"game-{number}" for number in range(20_000)]

ANOTHER_GATEWAY = """
import hashlib, sys
from pathlib import Path
from gateway.routes import loading
from gateway.routes.draw import draw_arm
snake = loading.load(Path(sys.argv[1]), "").snake("/")
drawn = (draw_arm(snake, f"game-{number}", "me").name for number in range(2000))
print(hashlib.sha256(" ".join(drawn).encode()).hexdigest())
"""


def _snake(weights: dict[str, float], experiment: str = "colours") -> SnakeRoute:
    arms = [Arm(name=name, weight=weight) for name, weight in weights.items()]
    return SnakeRoute(path="/", experiment=experiment, arms=arms)


def test_each_arm_plays_its_share_of_the_games() -> None:
    """Each arm gets its share of 20,000 games, within the 99.9 % interval of the binomial distribution."""
    snake = _snake(WEIGHTS)
    drawn = [draw_arm(snake, game, "me").name for game in GAMES]
    for name, weight in WEIGHTS.items():
        share = weight / sum(WEIGHTS.values())
        deviation = sqrt(len(GAMES) * share * (1 - share))
        assert abs(drawn.count(name) - len(GAMES) * share) <= 3.3 * deviation


def test_gateways_agree_on_every_game(tmp_path: Path) -> None:
    """Another process, with the arms in another order, draws the same arm for each of 2,000 games."""
    file = tmp_path / "routes.toml"
    arms = ", ".join(
        f'{{ name = "{name}", weight = {weight} }}' for name, weight in reversed(WEIGHTS.items())
    )
    file.write_text(f'[[snakes]]\npath = "/"\nexperiment = "colours"\narms = [{arms}]')
    snake = _snake(WEIGHTS)
    drawn = " ".join(draw_arm(snake, game, "me").name for game in GAMES[:2000])
    command = [sys.executable, "-c", ANOTHER_GATEWAY, str(file)]
    other = subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": "7"}, capture_output=True, check=True)
    assert other.stdout.decode().strip() == hashlib.sha256(drawn.encode()).hexdigest()


@pytest.mark.parametrize("field", ["experiment", "game", "snake"])
def test_the_draw_depends_on(field: str) -> None:
    """The draw differs between experiments, games and snakes."""
    names = {"experiment": "colours", "game": "g", "snake": "s"}
    drawn = set()
    for number in range(50):
        names[field] = f"{number}"
        snake = _snake({"red": 1, "blue": 1}, names["experiment"])
        drawn.add(draw_arm(snake, names["game"], names["snake"]).name)
    assert drawn == {"red", "blue"}


@given(st.text(), st.text())
def test_an_arm_with_weight_0_is_never_drawn(game: str, snake: str) -> None:
    """An arm with weight 0 plays only when a request names it."""
    assert draw_arm(_snake({"off": 0, "on": 5e-324, "last": 0}), game, snake).name == "on"


@pytest.mark.parametrize(
    ("in_file", "token", "allowed"),
    [
        (None, "", False),
        (None, "a-token-of-letters", True),
        (True, "", True),
        (False, "a-token-of-letters", False),
    ],
)
def test_a_request_may_name_its_arm(in_file: bool | None, token: str, allowed: bool) -> None:
    """A named arm plays, even with weight 0, if its snake has a token; the routes may decide otherwise."""
    snake = msgspec.structs.replace(_snake({"on": 1, "off": 0}), token=token)
    chosen = choose_arm(Routes(arm_header=in_file, snakes=[snake]), snake, TURN, "off")
    assert (chosen.arm.name, chosen.forced) == (("off", True) if allowed else ("on", False))
