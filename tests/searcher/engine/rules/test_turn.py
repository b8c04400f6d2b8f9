"""One turn, against recorded turns and against the textbook's plain Python."""

from dataclasses import replace
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings

from searcher.engine.live_board import deaths
from searcher.engine.position import Direction, Position
from searcher.engine.rules.board import enterable_cells, free_cells, turn_of
from searcher.engine.rules.packing import living, pack
from searcher.engine.rules.records import Packed
from searcher.engine.search import ordering
from searcher.textbook import battlesnake as textbook
from searcher.textbook.battlesnake import play_turn
from searcher.tools.conformance import differences
from tests.searcher.engine.algorithms.best_replies import play_some
from tests.searcher.engine.positions import (
    board_of,
    random_moves,
    random_position,
    randoms,
    textbook_moves,
    transitions,
    unpacked,
)
from tests.searcher.engine.turns import call, play

TURNS = 12
"""The most turns to play from one position."""


def test_every_recorded_turn() -> None:
    """All turns of the official engine have the same result: bodies, health, food, deaths, causes, ends."""
    records = transitions()
    assert len(records) == 3500
    assert [number for number, record in enumerate(records, 1) if differences(record)] == []


@pytest.mark.parametrize(
    ("path", "value", "noticed"),
    [
        (("after", "snakes", 0, "health"), 3, "snakes"),
        (("after", "snakes", 0, "body", 1, "x"), 20, "snakes"),
        (("after", "food"), [{"x": 0, "y": 0}], "food"),
        (("game_over",), True, "game over"),
        (("eliminated",), {}, "eliminated"),
        (("eliminated", "s3", "cause"), "hazard", "eliminated"),
        (("eliminated", "s3", "by"), "s1", "eliminated"),
        (("eliminated", "s3", "turn"), 7, "eliminated"),
    ],
)
def test_an_altered_record_is_noticed(path: tuple[str | int, ...], value: object, noticed: str) -> None:
    """The differences name exactly what was altered in a recorded outcome."""
    record = transitions()[0]
    altered = msgspec.to_builtins(record)
    inner = altered
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    assert differences(record) == []
    assert [line.split(":")[0] for line in differences(msgspec.convert(altered, type(record)))] == [noticed]


def assert_same(packed: Packed, position: Position, board: textbook.Board) -> None:
    """Assert that living snakes and food are the same on both boards."""
    ours = unpacked(packed, position)
    assert {each.id: (each.health, each.body) for each in ours.snakes} == {
        board.snakes[player].id: (board.snakes[player].health, board.snakes[player].body)
        for player in board.living
    }
    assert set(ours.food) == set(board.food)


def assert_same_deaths(before: Packed, after: Packed, board: textbook.Board) -> None:
    """Assert that this turn's deaths have the same causes and the same killers on both boards."""
    ids = [each.id for each in board.snakes]
    ours = {
        index: (death.cause, "" if death.by is None else ids[death.by])
        for index, death in deaths(before, after).items()
    }
    assert ours == {
        index: (str(each.elimination.cause), each.elimination.by)
        for index, each in enumerate(board.snakes)
        if each.elimination is not None and each.elimination.turn == board.turn
    }


def assert_consistent(packed: Packed, position: Position) -> None:
    """Assert that the board is what packing its own position gives."""
    again = pack(unpacked(packed, position), packed.shape)
    alive = living(packed)
    for field in ("food", "bodies"):
        assert np.array_equal(packed.board[0][field], again.board[0][field]), field
    for field in ("trail", "head", "length", "health", "grow"):
        assert packed.board[0][field][alive].tolist() == again.board[0][field][: len(alive)].tolist(), field
    dead = [index for index in range(packed.shape.snakes) if index not in alive]
    for field in ("trail", "length", "health"):
        assert not packed.board[0][field][dead].any(), field


@pytest.mark.parametrize("shortest", [1, 2])
@settings(max_examples=75)
@given(random=randoms())
def test_random_games_are_those_of_the_textbook(shortest: int, random: Random) -> None:
    """Each turn has the same bodies, health, food and deaths as in plain Python, for any rules and size."""
    sizes = random.choice([(1, 4), (3, 8), (3, 25)])
    position = random_position(random, sizes=sizes, parts=(shortest, 12))
    packed, board = pack(position), board_of(position)
    for _ in range(TURNS):
        if board.over:
            break
        moves = random_moves(random, position)
        board = play_turn(board, {index: move.name.lower() for index, move in enumerate(moves)})
        held = unpacked(packed, position)
        after = play(packed, moves)
        assert_same(after, position, board)
        assert_same_deaths(packed, after, board)
        assert_consistent(after, position)
        assert unpacked(packed, position) == held
        packed = after


@settings(max_examples=75)
@given(randoms())
def test_turns_in_which_some_snakes_stand_still(random: Random) -> None:
    """Each turn is as in plain Python when some of the snakes, each time others, stand still."""
    position = random_position(random, snakes=(2, 8), sizes=(3, 8))
    packed, board = pack(position), board_of(position)
    for _ in range(TURNS):
        if board.over:
            break
        moves = [move if random.random() < 0.7 else None for move in random_moves(random, position)]
        chosen = {index: move for index, move in enumerate(moves) if move is not None}
        board = play_some(board, {index: textbook.Direction[move.name] for index, move in chosen.items()})
        packed = play(packed, moves)
        assert_same(packed, position, board)
        assert_consistent(packed, position)


def _legal(game: object, board: object, snake: int) -> int:
    free = free_cells(game, board)
    return ordering.moves_of(game, board, snake, free, enterable_cells(game, board, free))


def moves_of(packed: Packed, snake: int) -> list[Direction]:
    """Return a snake's legal moves."""
    bits = call(_legal, packed, snake)
    return [move for move in Direction if bits >> move & 1]


@settings(max_examples=75)
@given(randoms())
def test_legal_moves_are_the_candidates(random: Random) -> None:
    """On random boards, also stacked and wrapped ones, legal moves are the textbook's candidates."""
    position = random_position(random, sizes=random.choice([(1, 4), (3, 8), (3, 25)]))
    packed, board = pack(position), board_of(position)
    for index in range(len(position.snakes)):
        assert moves_of(packed, index) == textbook_moves(board, index)


def _turn_number(game: object, board: object, number: int) -> int:
    return turn_of(game, board)


@given(randoms())
def test_the_turn_of_a_board_counts_from_the_root(random: Random) -> None:
    """Each turn that is played adds one, also for snakes that die."""
    position = replace(random_position(random), turn=42)
    packed = pack(position)
    for played in range(3):
        if not living(packed):
            return
        assert call(_turn_number, packed) == 42 + played
        packed = play(packed, [random.choice(list(Direction)) for _ in position.snakes])
