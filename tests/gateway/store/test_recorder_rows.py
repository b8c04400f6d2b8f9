"""What the recorder writes to the database."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec
import pytest

from battlesnake_search.board import Turn
from gateway.store.records import GameRow, decode_header
from tests.gateway.store.game_samples import Recording, searched, turn_at
from tests.gateway.store.outcome_samples import recorded


def _by(turn: Turn, number: int) -> Turn:
    """Return the turn as another snake of the board receives it, or one that is not on the board."""
    snakes = turn.board.snakes
    you = snakes[number] if number < len(snakes) else msgspec.structs.replace(turn.you, id="stranger")
    return msgspec.structs.replace(turn, you=you)


class _Rows:
    """A recorder that is told of one event after the other, and tells the rows of each."""

    def __init__(self) -> None:
        self.recording = Recording()

    @contextmanager
    def of(self) -> Iterator[list[str]]:
        """Yield a list that has the kinds of the rows of the block when it has ended."""
        kinds: list[str] = []
        before = len(self.recording.rows)
        yield kinds
        kinds += ["game" if isinstance(row, GameRow) else "record" for row in self.recording.rows[before:]]


async def test_a_header_is_written_when_it_has_changed() -> None:
    """It changes with the first request of each snake of ours, with the end, and if the game goes on."""
    rows = _Rows()
    turn = turn_at(1, "g")
    requests: Sequence[tuple[Turn, str, list[str]]] = [
        (_by(turn, 0), "asked", ["game", "record"]),
        (_by(turn, 0), "answered", ["record"]),
        (_by(turn, 1), "asked", ["game"]),
        (_by(turn, 1), "asked", []),
        (_by(turn_at(2, "g"), 0), "asked", ["record"]),
        (_by(turn_at(2, "g"), 99), "asked", ["game"]),
        (_by(turn_at(4, "g"), 0), "end", ["record", "game"]),
        (_by(turn_at(4, "g"), 1), "end", ["game"]),
        (_by(turn_at(5, "g"), 0), "asked", ["game", "record"]),
    ]
    for sent, kind, expected in requests:
        with rows.of() as kinds:
            if kind == "answered":
                rows.recording.answered(sent, searched(sent))
            else:
                (rows.recording.asked if kind == "asked" else rows.recording.ended)(sent)
        assert kinds == expected, (sent.turn, kind)
    [kept] = rows.recording.memory
    assert kept.header.ended_at is None and kept.is_live


async def test_a_game_of_which_only_the_end_is_seen_is_written_once() -> None:
    """Its header is written with the end."""
    rows = _Rows()
    with rows.of() as kinds:
        rows.recording.ended(turn_at(4, "g"))
    assert kinds == ["record", "game"]
    assert isinstance(rows.recording.rows[-1], GameRow)
    assert decode_header(rows.recording.rows[-1].header).ended_at is not None


@pytest.mark.parametrize("left", [0, 2])
async def test_a_game_without_a_single_survivor_has_no_winner(left: int) -> None:
    """Either nobody is left, or the engine has ended the game before it was decided."""
    recording = Recording()
    end = turn_at(9, "g")
    board = msgspec.structs.replace(end.board, snakes=end.board.snakes[:left])
    recording.started(recorded("standard-start-0"))
    recording.asked(turn_at(8, "g"))
    recording.ended(msgspec.structs.replace(end, board=board))
    game = recording.memory.get("g")
    assert game is not None and game.header.ended_at is not None and game.header.winner is None


async def test_the_last_snake_of_a_duel_has_won() -> None:
    """Two snakes are enough for a winner."""
    recording = Recording()
    turn = turn_at(8, "g")
    duel = msgspec.structs.replace(turn.board, snakes=turn.board.snakes[:2])
    end = msgspec.structs.replace(turn.board, snakes=turn.board.snakes[1:2])
    recording.asked(_by(msgspec.structs.replace(turn, board=duel), 0))
    recording.ended(_by(msgspec.structs.replace(turn, board=end, turn=9), 0))
    game = recording.memory.get("g")
    assert game is not None and game.header.winner == turn.board.snakes[1].id


async def test_the_newest_two_turns_are_followed() -> None:
    """The engine tells of an answer in the next turn; older ones are only in the records."""
    recording = Recording()
    for number in range(5):
        recording.asked(turn_at(number, "g"))
    game = recording.memory.get("g")
    assert game is not None and game.following is not None
    assert [number for number in range(6) if game.following.at(number)] == [3, 4]
