"""The views of players, from recorded requests."""

from pathlib import Path

from arena.players.player import Reported, View
from arena.records import Rules
from searcher.engine.position import Position
from searcher.positions.move_body import position_in
from tests.searcher.requests import read_body

REQUESTS = Path(__file__).parents[2] / "fixtures" / "requests"


def recorded_view(name: str = "standard-move-mid-42", seed: int = 7) -> View:
    """The view of a recorded /move body."""
    return view_of(position_in(read_body(REQUESTS / f"{name}.json")), seed)


def view_of(position: Position, seed: int = 7) -> View:
    """The view of a position, for its snake to move."""
    snakes = tuple(
        Reported(snake, f"entrant {snake.id}", latency) for latency, snake in enumerate(position.snakes)
    )
    return View("game", rules_of(position), position, snakes[position.you], snakes, seed)


def rules_of(position: Position) -> Rules:
    """Rules that fit a position."""
    return Rules(
        ruleset=position.ruleset.name,
        map="snail_mode" if position.ruleset.trails else "standard",
        width=position.width,
        height=position.height,
        minimum_food=1,
        food_spawn_chance=15,
        hazard_damage=position.ruleset.hazard_damage,
        shrink_every=25,
        max_turns=100,
    )
