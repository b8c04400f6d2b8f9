"""Whole games of the official engine under each ruleset, replayed on every map."""

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from arena.games import boards
from arena.games.boards import BoardInPlay
from arena.games.maps import BoardUpdate
from arena.records import Cell, Rules, Start
from searcher.engine.position import Direction, Position
from tests.arena.games.maps.map_rules import hazards_after, rules_of
from tests.arena.games.maps.official_games import moves, play, positions
from tests.arena.outside_snake import STEPS, Body, OutsideSnake, choose

TURNS = 38
"""The turn in which all snakes die."""

EVERY = 10
"""Turns between two steps of the hazards. There are three such steps in a game."""

SETTINGS = {"hazardDamagePerTurn": 3, "shrinkEveryNTurns": EVERY, "foodSpawnChance": 30}

SEED = 7
"""The engine's seed. It decides in which order the sides close, on every map."""

BY_CHANCE = ("healing_pools", "hz_expand_box", "hz_expand_scatter", "hz_grow_box", "hz_scatter", "hz_spiral")
"""The maps whose hazards depend on chance. Only their number is known."""

AT_ONCE = 4
"""Games that are played at the same time."""


def rules_for(ruleset: str, name: str) -> Rules:
    """The rules of ours that are like the settings of the engine."""
    width, height = boards.default_size(name)
    fields = {"hazard_damage": 3, "shrink_every": EVERY, "food_spawn_chance": 30}
    return rules_of(ruleset=ruleset, map=name, width=width, height=height, **fields)


def doomed(body: Body) -> str:
    """A move that hits nobody, and in the end the move into the own neck."""
    head, neck = (body["you"]["body"][part] for part in (0, 1))
    if body["turn"] < TURNS:
        return choose(body)
    return next(
        move
        for move, (dx, dy) in STEPS.items()
        if (head["x"] + dx - neck["x"]) % body["board"]["width"] == 0
        and (head["y"] + dy - neck["y"]) % body["board"]["height"] == 0
    )


async def official_game(
    engine: Path, rules: Rules, snakes: int
) -> tuple[list[Position], list[dict[str, Direction]]]:
    """The positions of a game of the engine, and the moves."""
    size = {"width": rules.width, "height": rules.height}
    options = {"gametype": rules.ruleset, "map": rules.map, "seed": SEED} | size
    snake = OutsideSnake(choose=doomed)
    game = positions(await play(engine, snake, snakes, **options, **SETTINGS))
    return game, moves(snake)


def check(rules: Rules, game: list[Position], played: list[dict[str, Direction]], seed: int) -> None:
    """Replay a game of the engine: snakes, food and hazards are the same after every turn."""
    first = game[0]
    numbers = {snake.id: str(number) for number, snake in enumerate(first.snakes)}
    bodies, health = zip(*((snake.body, snake.health) for snake in first.snakes), strict=True)
    board = BoardInPlay(rules, Start(0, bodies, health, first.food, first.hazards))
    for turn, (directions, after) in enumerate(zip(played, game[1:], strict=False), 1):
        place = f"{rules.ruleset} on {rules.map}, turn {turn}"
        board.play({numbers[id_]: direction for id_, direction in directions.items()})
        left, update = board.position.food, boards.update_board(rules, board.position, seed)
        if rules.map != "solo_maze":
            assert board.position.snakes == tuple(
                replace(snake, id=numbers[snake.id]) for snake in after.snakes
            ), place
            assert left == after.food[: len(left)], place
        hazards = update.hazards if update.restart is None else update.restart.hazards
        known = [
            shown(rules, board.position.hazards if hazards is None else hazards),
            shown(rules, after.hazards),
        ]
        assert known[0] == known[1], place
        restart = None
        if rules.map == "solo_maze":
            bodies, health = zip(*((snake.body, snake.health) for snake in after.snakes), strict=True)
            restart = Start(turn, bodies, health, after.food, after.hazards)
        board.update(BoardUpdate(after.food[len(left) :], after.hazards, restart))


def shown(rules: Rules, hazards: tuple[Cell, ...]) -> Counter[Cell] | int:
    """The hazards that are known: all, their number on the board, or the maze's number in the lowest row."""
    on_board = Counter((x, y) for x, y in hazards if x < rules.width and y < rules.height)
    if rules.map == "solo_maze":
        return Counter(cell for cell in on_board.elements() if cell[1] == 0)
    return on_board.total() if rules.map in BY_CHANCE else on_board


async def our_seed(engine: Path) -> int:
    """A seed of ours with which the sides close in the engine's order."""
    rules = rules_for("royale", "empty")
    game, _ = await official_game(engine, rules, 1)
    steps = [
        (turn, set(position.hazards)) for turn, position in enumerate(game) if turn and turn % EVERY == 0
    ]
    assert len(steps) >= 3
    return next(
        seed
        for seed in range(5000)
        if all(
            set(hazards_after(rules, replace(game[0], turn=turn, snakes=()), seed)) == closed
            for turn, closed in steps
        )
    )


@pytest.mark.parametrize("ruleset", ["standard", "wrapped_constrictor", "solo"])
async def test_games_are_the_engines_on_every_map(official_engine: Path, ruleset: str) -> None:
    """Turn by turn, the rules and the map make the engine's board of the engine's moves.

    The other rulesets are made of parts of these: edges, growth, hazards and the end of a game.
    """
    seed, tickets = await our_seed(official_engine), asyncio.Semaphore(AT_ONCE)

    async def compare(name: str) -> int:
        most = boards.game_map(name).most_snakes or 3
        snakes = 1 if "solo" in (ruleset, name.partition("_")[0]) else min(3, most)
        rules = rules_for(ruleset, name)
        async with tickets:
            game, played = await official_game(official_engine, rules, snakes)
        check(rules, game, played, seed)
        return len(game)

    async with asyncio.TaskGroup() as group:
        games = [group.create_task(compare(name)) for name in boards.map_names()]
    assert sum(game.result() for game in games) > 15 * len(games)
