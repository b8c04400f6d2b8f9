"""Rows have the position, what each snake did, and how it fared."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.data.files import UNKNOWN_MOVE, BadDataError, read_columns
from arena.data.histories import HistoryTurn, histories_in, rows_of, write_recorded
from arena.matches.workers import play_block
from arena.records import MatchFile
from searcher.engine.position import Direction
from tests.arena.data.setups import POSITION, history, rows
from tests.arena.setups import setup_of
from tests.support.services import ROOT


def test_a_row_has_the_position() -> None:
    """Cells are numbered by row; hazards off the board are left out."""
    row = rows()[0]
    assert (row["width"], row["height"], row["turn"], row["ruleset"]) == (7, 5, 12, "standard")
    assert row["food"] == [0, 31] and row["hazards"] == [6, 6]
    assert row["snakes"][1]["body"] == [12, 19, 19]


def test_a_snake_has_its_move_and_score() -> None:
    """A score that no search reported is missing."""
    one, two = rows()[0]["snakes"]
    assert one["move"] == Direction.UP and one["score"] == 0.5
    assert two["move"] == Direction.DOWN and two["score"] is None


def test_the_survivor_has_won() -> None:
    """A snake that dies in the last turn has lost to the one that survives it."""
    one, two = rows()[0]["snakes"]
    assert (one["outcome"], one["place"], one["turns_left"]) == (1.0, 1, 2)
    assert (two["outcome"], two["place"], two["turns_left"]) == (0.0, 2, 2)
    assert [snake["turns_left"] for snake in rows()[1]["snakes"]] == [1, 1]


def test_equal_positions_have_the_same_digest() -> None:
    """The order of snakes and food, the turn and the game do not matter; health does."""
    swapped = replace(POSITION, snakes=POSITION.snakes[::-1], food=POSITION.food[::-1], turn=3)
    hungrier = replace(POSITION, snakes=(replace(POSITION.snakes[0], health=1), POSITION.snakes[1]))
    turns = [HistoryTurn(position, {}, {}) for position in (POSITION, swapped, hungrier)]
    first, second, third = (row["digest"] for row in rows_of(replace(history(), turns=turns)))
    assert first == second != third


DUEL = ROOT / "tests/fixtures/games/duel.jsonl"


def test_a_game_of_the_official_engine(tmp_path: Path) -> None:
    """Its last line names the winner, whose moves are known to the end."""
    games, positions = write_recorded([DUEL], tmp_path)
    columns = read_columns(tmp_path)
    snakes = columns.snakes
    assert games == 1 and len(columns) == positions
    assert sorted(snakes.player.names) == ["one", "two"]
    winner = snakes.outcome == 1.0
    assert winner.sum() == (snakes.outcome == 0.0).sum() == positions
    assert (snakes.move[winner] != UNKNOWN_MOVE).all()


def test_a_match_of_the_arena(tmp_path: Path) -> None:
    """Each game has the names of its entrants, the moves, and the scores of searches."""
    setup = setup_of("paranoid/length", "greedy")
    file = tmp_path / "match.jsonl"
    match = MatchFile(file, setup, False)
    block = play_block(setup, 0)
    match.append(block)
    match.close()
    histories = list(histories_in(file))
    assert [len(history.turns) for history in histories] == [len(game.turns) for game in block.games]
    first = histories[0]
    assert first.players == {"0": "paranoid/length", "1": "greedy"}
    assert first.turns[0].scores.keys() == {"0"} and first.turns[0].moves.keys() == {"0", "1"}
    assert len({history.game for history in histories}) == 2


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        ([], "has neither a match of the arena nor a game of the official engine"),
        (slice(0, -1), "the game has no end: the last line does not name a winner"),
        (["{}", '{"board": 1}'], "line 2: "),
    ],
)
def test_other_files_are_refused(tmp_path: Path, lines: list[str] | slice, error: str) -> None:
    """The error names the file, and the line that is at fault."""
    file = tmp_path / "game.jsonl"
    whole = DUEL.read_text().splitlines()
    file.write_text("\n".join(whole[lines] if isinstance(lines, slice) else lines))
    with pytest.raises(BadDataError, match=rf"game\.jsonl.*{error}"):
        write_recorded([file], tmp_path / "out")
