"""The lengths of snakes at certain turns."""

from msgspec.structs import replace

from arena.gauntlet import lengths_at_milestones
from arena.matches.workers import play_block
from arena.records import Game, Move
from tests.arena.gauntlet.circling import circling
from tests.arena.report.random_games import DUEL
from tests.arena.setups import SMALL, setup_of

STEPS: dict[Move, tuple[int, int]] = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}


def test_a_meal_makes_a_snake_longer() -> None:
    """At turn 50 a snake is longer by its meals before that turn."""
    game = circling(60, {1: [20, 49, 50]}, start=0)
    assert dict(lengths_at_milestones(DUEL, game)) == {50: {0: 3, 1: 5}}


def test_turns_are_those_of_the_board() -> None:
    """A game that starts at turn 40 is at turn 50 after ten turns; turns before its start are unknown."""
    assert dict(lengths_at_milestones(DUEL, circling(15, {0: [3, 12]}, start=40))) == {50: {0: 4, 1: 3}}
    assert list(lengths_at_milestones(DUEL, circling(15, start=60))) == []


def test_the_last_board_counts() -> None:
    """A game of 50 turns has reached turn 50, a game of 49 has not."""
    assert dict(lengths_at_milestones(DUEL, circling(50))) == {50: {0: 3, 1: 3}}
    assert list(lengths_at_milestones(DUEL, circling(49))) == []


def test_several_milestones() -> None:
    """A longer game has the lengths of each milestone."""
    game = circling(120, {0: [90], 1: [60, 99]})
    assert dict(lengths_at_milestones(DUEL, game)) == {50: {0: 3, 1: 3}, 100: {0: 4, 1: 5}}


def test_real_games() -> None:
    """In games of real snakes, lengths are those of snakes that grow by every meal; the dead have none."""
    rules = replace(SMALL, width=11, height=11)
    setup = setup_of("paranoid/length", "brs/length", snakes=4, rules=rules)
    games = [game for number in range(2) for game in play_block(setup, None, number).games]
    found = [(game, *pair) for game in games for pair in lengths_at_milestones(rules, game)]
    assert found
    for game, turn, lengths in found:
        alive = [snake for snake, death in enumerate(game.deaths) if death is None or death.turn >= turn]
        assert lengths == {snake: 3 + meals_of(game, snake, turn) for snake in alive}


def meals_of(game: Game, snake: int, turns: int) -> int:
    """How often a snake's head has reached food within some turns, as counted from the record alone."""
    food, heads = set(game.start.food), [body[0] for body in game.start.bodies]
    meals = 0
    for turn in game.turns[:turns]:
        for other, decision in enumerate(turn.decisions):
            if decision is not None:
                x, y = STEPS[decision.move]
                heads[other] = heads[other][0] + x, heads[other][1] + y
        eaten = {head for head, decision in zip(heads, turn.decisions, strict=True) if decision} & food
        meals += turn.decisions[snake] is not None and heads[snake] in eaten
        food = (food - eaten) | set(turn.food)
    return meals
