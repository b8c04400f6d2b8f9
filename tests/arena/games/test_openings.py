"""Books of openings: recorded /move bodies, each of which fits the match."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import arena
from arena.games.boards import position_at
from arena.games.openings import openings_in, position_after, read_book, write_book
from arena.matches.workers import play_block
from arena.records import Match, MatchFile, read_match
from tests.arena.setups import SMALL, setup_of

Body = dict[str, Any]

REQUESTS = Path(__file__).parents[2] / "fixtures" / "requests"
LARGE = msgspec.structs.replace(SMALL, width=11, height=11)


def recorded(name: str) -> Body:
    """A recorded /move body."""
    body: Body = json.loads((REQUESTS / f"{name}.json").read_text())
    return body


def write(path: Path, bodies: Iterable[Body]) -> Path:
    """Write a book, one opening a line."""
    path.write_text("".join(json.dumps(body) + "\n" for body in bodies))
    return path


@pytest.fixture
def body() -> Body:
    """An opening for two snakes on 7x7."""
    snakes = [
        {"id": "a", "health": 90, "body": [{"x": 1, "y": 3}, {"x": 1, "y": 2}, {"x": 1, "y": 1}]},
        {"id": "b", "health": 80, "body": [{"x": 5, "y": 3}, {"x": 5, "y": 4}, {"x": 5, "y": 4}]},
    ]
    board = {
        "width": 7,
        "height": 7,
        "snakes": snakes,
        "food": [{"x": 3, "y": 3}],
        "hazards": [{"x": 0, "y": 0}],
    }
    return {"game": {}, "turn": 12, "board": board, "you": {"id": "b"}}


def test_an_opening_is_the_board_of_the_body(body: Body, tmp_path: Path) -> None:
    """Snakes stay in their order, whichever is you, with stacked parts, food, hazards and turn."""
    [start] = read_book(write(tmp_path / "book", [body]), SMALL, 2).starts
    assert start.bodies == (((1, 3), (1, 2), (1, 1)), ((5, 3), (5, 4), (5, 4)))
    assert (start.turn, start.health, start.food, start.hazards) == (12, (90, 80), ((3, 3),), ((0, 0),))


@pytest.mark.parametrize(
    ("name", "ruleset"),
    [
        ("standard-move-mid-42", "standard"),
        ("wrapped-move-mid-46", "wrapped"),
        ("royale-move-mid-16", "royale"),
    ],
)
def test_recorded_bodies_are_openings(name: str, ruleset: str, tmp_path: Path) -> None:
    """A book has as many openings as lines, in their order."""
    body = recorded(name)
    later = body | {"turn": body["turn"] + 1}
    rules = msgspec.structs.replace(LARGE, ruleset=ruleset)
    book = read_book(write(tmp_path / "book", [body, later]), rules, len(body["board"]["snakes"]))
    assert [start.turn for start in book.starts] == [body["turn"], body["turn"] + 1]


def test_the_digest_tells_books_apart(body: Body, tmp_path: Path) -> None:
    """The same lines have the same digest, whatever their file; other lines have another one."""
    one, same = (read_book(write(tmp_path / name, [body]), SMALL, 2) for name in ("one", "two"))
    other = read_book(write(tmp_path / "three", [body | {"turn": 13}]), SMALL, 2)
    assert one.digest == same.digest != other.digest


def other_board(body: Body) -> Body:
    """An opening on a larger board."""
    return body | {"board": body["board"] | {"width": 11}}


def one_snake(body: Body) -> Body:
    """An opening with one snake less."""
    return body | {"board": body["board"] | {"snakes": body["board"]["snakes"][1:]}}


def other_rules(body: Body) -> Body:
    """An opening of a wrapped game."""
    return body | {"game": {"ruleset": {"name": "wrapped"}}}


def torn_body(body: Body) -> Body:
    """An opening with a snake whose parts are not connected."""
    first, second = body["board"]["snakes"]
    torn = first | {"body": [{"x": 1, "y": 3}, {"x": 4, "y": 4}]}
    return body | {"board": body["board"] | {"snakes": [torn, second]}}


def no_turn(body: Body) -> Body:
    """An opening without its turn."""
    return {key: value for key, value in body.items() if key != "turn"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (other_board, "a 11x7 board in a match on 7x7"),
        (one_snake, "the number of snakes is 1, but the match has 2"),
        (other_rules, "ruleset wrapped in a match of standard"),
        (torn_body, r"position\.board\.snakes\[0\]\.body\[1\]"),
        (no_turn, "missing required field `turn`"),
    ],
)
def test_an_opening_that_does_not_fit_is_rejected(
    change: Callable[[Body], Body], words: str, body: Body, tmp_path: Path
) -> None:
    """The error has the file, the line and the problem."""
    path = write(tmp_path / "book.jsonl", [body, change(body)])
    with pytest.raises(ValueError, match=rf"^book\.jsonl, line 2: .*{words}"):
        read_book(path, SMALL, 2)


@pytest.mark.parametrize("content", [b"", b"\n", b"nonsense\n", b'{"you": "\xff"}\n'])
def test_other_content_is_not_a_book(content: bytes, tmp_path: Path) -> None:
    """An empty file, an empty line, no JSON, no text: the error names the file."""
    path = tmp_path / "book.jsonl"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"^book\.jsonl"):
        read_book(path, SMALL, 2)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Match:
    """A match of a few blocks, as its file has it."""
    setup = setup_of("paranoid/area", "paranoid/length", blocks=6)
    path = tmp_path_factory.mktemp("played") / "match.jsonl"
    file = MatchFile(path, setup, resume=False)
    for number in range(setup.blocks):
        file.append(play_block(setup, None, number))
    file.close()
    return read_match(path)


def test_a_game_is_replayed_up_to_a_turn(played: Match) -> None:
    """At the end the recorded survivors are alive, and at the start the position is the start."""
    for block in played.blocks:
        game = block.games[0]
        assert position_after(SMALL, game, 0) == position_at(SMALL, game.start)
        last = position_after(SMALL, game, len(game.turns))
        alive = [str(snake) for snake, death in enumerate(game.deaths) if death is None]
        assert [snake.id for snake in last.snakes] == alive


def test_a_book_made_from_a_match_can_be_read(played: Match, tmp_path: Path) -> None:
    """The openings are positions of the match's games at that turn, undecided and with all snakes."""
    book = tmp_path / "book.jsonl"
    count = write_book(book, openings_in(played, 8, 0.5))
    starts = read_book(book, SMALL, 2).starts
    assert 0 < count == len(starts) < len(played.blocks) + 1
    for start in starts:
        assert start.turn == 8
        assert any(
            position_after(SMALL, block.games[0], 8).snakes[0].body == start.bodies[0]
            for block in played.blocks
        )


def test_lost_positions_are_no_openings(played: Match) -> None:
    """Games that are decided or end soon after the turn give no openings."""
    assert len(list(openings_in(played, 8, 0.0))) < len(list(openings_in(played, 8, 1.0)))
    assert not list(openings_in(played, 190, 1.0))


def test_the_packaged_book_can_be_played() -> None:
    """Every opening of the packaged book fits a duel by the standard rules."""
    book = Path(str(arena.__file__)).parent / "books" / "duels-11x11.jsonl"
    assert len(read_book(book, LARGE, 2).starts) >= 80
