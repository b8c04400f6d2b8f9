"""A game of a match in the form of the console's API."""

from pathlib import Path

import msgspec
import pytest

from arena.games.boards import hazards_on_board, replayed
from arena.records import Match
from arena.report.recorded import document_of, game_of
from console.store.values import Game
from tests.arena.match_files import write


@pytest.mark.parametrize("kind", ["duel", "royale", "wrapped", "maze", "gauntlet"])
def test_every_turn_is_there(request: pytest.FixtureRequest, tmp_path: Path, kind: str) -> None:
    """Boards, deaths and decisions are those of the record, by the number in the match's report."""
    match: Match = request.getfixturevalue(kind)
    file = write(tmp_path / "match.jsonl", match.setup, match.blocks)
    block, played = match.blocks[1], match.blocks[1].games[0]
    game = msgspec.convert(game_of(file, f"{block.number}.1"), Game)
    assert (game.id, game.over) == (f"match-{block.number}.1", True)
    boards = list(replayed(match.setup.rules, played))
    assert len(game.turns) == len(boards) == len(played.turns) + 1
    for turn, board in zip(game.turns, boards, strict=True):
        assert turn.turn == board.turn and sorted(turn.food) == sorted(board.food)
        assert tuple(turn.hazards) == hazards_on_board(board)
        living = {snake: (placed.body, placed.health) for snake, placed in enumerate(turn.snakes) if placed}
        assert living == {int(each.id): (list(each.body), each.health) for each in board.snakes}
    dead = {death.snake: turn.turn for turn in game.turns for death in turn.deaths}
    first = played.start.turn
    assert dead == {n: first + each.turn + 1 for n, each in enumerate(played.deaths) if each is not None}
    moves = [[each and each.move for each in turn.decisions] for turn in game.turns[:-1]]
    assert moves == [[each and each.move for each in turn.decisions] for turn in played.turns]
    names = [match.setup.entrants[seat].name for seat in played.seats]
    assert [snake.name for snake in game.snakes] == names


def test_a_record_that_contradicts_the_rules_is_rejected(duel: Match) -> None:
    """The error has the turn, and the snakes that live by the record and by the rules."""
    game = msgspec.structs.replace(duel.blocks[0].games[0], deaths=(None, None))
    words = rf"turn {len(game.turns)}: the snakes \[0, 1\] live in the record, but \[.?\] by the rules"
    with pytest.raises(ValueError, match=words):
        document_of(duel.setup, game, "1.1")


def test_a_game_must_be_named(tmp_path: Path, duel: Match) -> None:
    """Without a number, or with a wrong one, the error has the numbers of the games."""
    file = write(tmp_path / "match.jsonl", duel.setup, duel.blocks)
    for number in (None, "9.9", "x"):
        with pytest.raises(
            ValueError, match=r"--number must be the number of one of 12 games, from \d\.1 to \d\.2"
        ):
            game_of(file, number)
    empty = write(tmp_path / "empty.jsonl", duel.setup)
    with pytest.raises(ValueError, match="the match has no game yet"):
        game_of(empty, None)
