"""Games that others recorded become data of the same kind."""

from pathlib import Path

import pytest

from arena.data.files import UNKNOWN_MOVE, BadDataError, read_columns
from arena.data.recorded import histories_in, write_recorded
from arena.matches.workers import play_block
from arena.records import MatchFile
from tests.arena.setups import setup_of
from tests.support.services import ROOT

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
    assert snakes.turns_left[winner][0] == positions and snakes.turns_left[winner][-1] == 1


def test_a_match_of_the_arena(tmp_path: Path) -> None:
    """Each game has the names of its entrants, the moves, and the scores of searches."""
    setup = setup_of("paranoid/length", "greedy")
    file = tmp_path / "match.jsonl"
    match = MatchFile(file, setup, False)
    block = play_block(setup, None, 0)
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
