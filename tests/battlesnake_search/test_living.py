"""The living snakes of a board, by the board before it or by the board alone."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from battlesnake_search.board import Board, Game, Point, Ruleset, Snake, Turn
from battlesnake_search.living import Seen, see
from battlesnake_search.reader import decode

PLATFORM = Path("tests/fixtures/platform")


def snake(name: str, *cells: tuple[int, int], health: int = 50) -> Snake:
    """Return a snake on these cells, head first."""
    return Snake(name, [Point(x, y) for x, y in cells], health=health)


def turn(number: int, *snakes: Snake, ruleset: str = "standard", you: str = "me") -> Turn:
    """Return a turn on an 11x11 board, received by the snake `you`."""
    own = next((each for each in snakes if each.id == you), snakes[0])
    return Turn(Game("g", Ruleset(ruleset)), Board(11, 11, list(snakes)), own, number)


ME = snake("me", (5, 5), (5, 4), (5, 3))
ME_BEFORE = snake("me", (5, 4), (5, 3), (5, 2), health=51)


def alive(seen: Seen) -> set[str]:
    """Return the ids of the living."""
    return {each.id for each in seen.alive}


@pytest.mark.parametrize(
    ("other", "lives"),
    [
        (snake("o", (9, 9), (9, 8), (9, 7)), True),
        (snake("o", (9, 9), (9, 8), (9, 7), health=0), False),
        (snake("o", (9, 11), (9, 10), (9, 9)), False),
        (snake("o", (-1, 9), (0, 9), (1, 9)), False),
        (snake("o", (9, 8), (9, 9), (8, 9), (8, 8), (9, 8), (9, 7)), False),
        (snake("o", (5, 4), (6, 4), (7, 4)), False),
        (snake("o", (5, 3), (6, 3), (7, 3)), False),
        (snake("o", (1, 1), (1, 1), (1, 1)), True),
    ],
    ids=["free", "starved", "off the board", "left", "in itself", "in us", "on our tail", "at the start"],
)
def test_a_board_alone_shows_who_has_died(other: Snake, lives: bool) -> None:
    """A snake without health, off the board or in a body is dead. A snake that has not moved yet is alive."""
    assert alive(see(turn(57, ME, other))) == ({"me", "o"} if lives else {"me"})


def test_off_the_board_is_a_wall_without_seams_alone() -> None:
    """On a wrapped board no cell is off the board."""
    over = snake("o", (0, 9), (10, 9), (9, 9))
    assert alive(see(turn(57, ME, over, ruleset="wrapped"))) == {"me", "o"}


@pytest.mark.parametrize(
    ("mine", "other", "survivors"),
    [(3, 3, set()), (4, 3, {"a"}), (3, 4, {"b"})],
    ids=["equal", "first longer", "second longer"],
)
def test_the_longest_snake_survives_a_head_to_head_collision(
    mine: int, other: int, survivors: set[str]
) -> None:
    """Equal lengths kill both."""
    first = snake("a", *((5 - part, 8) for part in range(mine)))
    second = snake("b", *((5 + part, 8) for part in range(other)))
    assert alive(see(turn(9, ME, first, second))) == {"me", *survivors}


def test_a_body_that_has_not_moved_is_dead() -> None:
    """A living snake moves every turn, so a snake that has not moved is dead."""
    corpse, rival = snake("c", (1, 1), (1, 2), (1, 3)), snake("r", (9, 9), (9, 8), (9, 7))
    moved = snake("r", (9, 10), (9, 9), (9, 8), health=49)
    before = see(turn(57, ME_BEFORE, corpse, rival))
    now = see(turn(58, ME, corpse, moved), before)
    assert alive(now) == {"me", "r"} and now.deaths == {"c": 57}
    again = see(
        turn(59, snake("me", (5, 6), (5, 5), (5, 4)), corpse, snake("r", (8, 10), (9, 10), (9, 9))), now
    )
    assert again.deaths == {"c": 57}


def test_a_snake_may_stand_on_a_dead_one() -> None:
    """A body without motion blocks no snake, and a misjudged snake is alive again when it moves."""
    corpse = snake("c", (9, 8), (8, 8), (7, 8))
    walker = snake("w", (9, 8), (9, 7), (9, 6))
    before = see(turn(57, ME_BEFORE, corpse, snake("w", (9, 7), (9, 6), (9, 5), health=51)))
    assert alive(see(turn(58, ME, corpse, walker), before)) == {"me", "w"}
    misjudged = see(turn(58, ME, corpse, walker))
    assert alive(misjudged) == {"me"}
    next_turn = turn(
        59, snake("me", (5, 6), (5, 5), (5, 4)), corpse, snake("w", (9, 9), (9, 8), (9, 7), health=49)
    )
    assert alive(see(next_turn, misjudged)) == {"me", "w"}


def test_a_snake_that_is_asked_lives() -> None:
    """The snakes on whose bodies it stands have died."""
    under = snake("c", (6, 5), (5, 5), (4, 5))
    assert alive(see(turn(57, ME, under))) == {"me"}
    assert alive(see(turn(57, ME, under), is_asked=False)) == {"c"}


def test_snakes_that_left_the_board_died_since() -> None:
    """In the official engine's form the dead are missing."""
    other = snake("o", (9, 9), (9, 8), (9, 7))
    before = see(turn(57, ME_BEFORE, other))
    now = see(turn(58, ME), before)
    assert alive(now) == {"me"} and now.deaths == {"o": 58}
    assert see(turn(60, snake("me", (5, 7), (5, 6), (5, 5))), now).deaths == {"o": 58}


def test_after_missing_turns_the_body_shows_how_far_it_moved() -> None:
    """A snake that moved once in ten turns died after its move. A snake that moved in a circle lives."""
    before = see(turn(70, ME_BEFORE, snake("o", (9, 9), (9, 8), (9, 7), health=40)))
    dead = snake("me", (5, 5), (5, 4), (5, 3), health=50)
    moved = snake("o", (9, 5), (9, 6), (9, 7), health=30)
    assert see(turn(80, dead, moved), before, is_asked=False).deaths == {"me": 71}
    square = [(1, 1), (1, 2), (2, 2), (2, 1)]
    circling = see(turn(70, snake("me", *square, health=60)))
    round_again = snake("me", *square, health=52)
    assert alive(see(turn(78, round_again), circling, is_asked=False)) == {"me"}


def _requests(game: str) -> Iterator[tuple[str, Turn]]:
    with gzip.open(PLATFORM / f"{game}.jsonl.gz") as file:
        for line in file:
            request = json.loads(line)
            yield request["path"], decode(json.dumps(request["body"]).encode())


@pytest.mark.parametrize(
    ("game", "survivors", "deaths"),
    [
        ("standard", {"third"}, {"second": 70, "ours": 75, "fourth": 84}),
        ("royale", {"second"}, {"fourth": 65, "third": 110, "ours": 134}),
        ("constrictor", {"fifth"}, {"third": 19, "second": 21, "ours": 22}),
        ("snail", {"ours"}, {"fourth": 13, "third": 58, "second": 59}),
        ("solo-7x7", set(), {"ours": 1324}),
    ],
)
def test_whole_games_of_the_platform_are_understood(
    game: str, survivors: set[str], deaths: dict[str, int]
) -> None:
    """In games whose boards keep the dead snakes, each death has its turn, and the survivors are known."""
    seen: Seen | None = None
    for path, each in _requests(game):
        seen = see(each, seen, path != "end")
        assert path == "end" or each.you.id in {snake.id for snake in seen.alive}
    assert seen is not None
    assert {each.name for each in seen.alive} == survivors
    assert {seen.snakes[name].name: died for name, died in seen.deaths.items()} == deaths


def test_the_deaths_of_ever_new_snakes_are_bounded() -> None:
    """A stranger may send other snakes each turn."""
    seen = see(turn(0, ME, snake("o", (9, 9), (9, 8), (9, 7))))
    for number in range(1, 200):
        new = [snake(f"s{number}-{each}", (9, 9), (9, 8), (9, 7), health=0) for each in range(15)]
        seen = see(turn(number, ME, *new), seen)
    assert len(seen.deaths) <= 3 * 16
