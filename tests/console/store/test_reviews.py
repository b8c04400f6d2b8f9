"""The stored reviews of games, in memory and in a database."""

from pathlib import Path

from console.store.late_store import LateStore
from console.store.memory import Memory
from console.store.recorder import header_of
from console.store.records import Header, ReviewRow, Row, game_row
from console.store.reviews import StoredReviews
from console.store.store import Store
from tests.console.store.game_samples import turn_at
from tests.console.web.script import duel

GAME = duel()
SNAKE = GAME.snakes[0].id


def _header() -> Header:
    return header_of(turn_at(0, GAME.id))


async def test_a_review_is_kept_in_memory_and_written() -> None:
    """Without a database it is there as long as its game."""
    memory, written = Memory(9), list[Row]()
    memory.create(_header())
    stored = StoredReviews(memory, None, written.append)
    assert await stored.read(GAME, SNAKE) is None
    stored.keep(GAME, SNAKE, {"lost_at": 5})
    assert await stored.read(GAME, SNAKE) == b'{"lost_at":5}'
    assert await stored.read(GAME, "other") is None
    assert written == [ReviewRow(GAME.id, SNAKE, len(GAME.turns), b'{"lost_at":5}')]
    other = StoredReviews(Memory(9), None, written.append)
    other.keep(GAME, SNAKE, {})
    assert await other.read(GAME, SNAKE) is None


async def test_a_review_of_fewer_turns_is_none(tmp_path: Path) -> None:
    """A game that was imported again may have more turns."""
    url = f"sqlite+aiosqlite:///{tmp_path}/games.sqlite"
    async with Store(url) as store:
        await store.prepare()
        rows = [
            ReviewRow(GAME.id, snake.id, len(GAME.turns) - n, b"{}") for n, snake in enumerate(GAME.snakes)
        ]
        await store.add_rows([game_row(_header()), *rows])
    async with LateStore(url) as late:
        stored = StoredReviews(Memory(9), late, lambda _row: None)
        assert [await stored.read(GAME, snake.id) for snake in GAME.snakes] == [b"{}", None]
