"""The stored reviews of games."""

from prometheus_client import CollectorRegistry

from console.store.metrics import RecordMetrics
from console.store.recorder import header_of
from console.store.records import ReviewRow, game_row
from console.store.reviews import StoredReviews
from console.store.writer import Writer
from tests.console.store.game_samples import Recording, turn_at
from tests.console.web.script import duel

GAME = duel()
SNAKE = GAME.snakes[0].id


async def test_a_review_is_kept_for_its_snake(recording: Recording) -> None:
    """It is in the database when it counts as kept."""
    store = recording.store
    await store.add_rows([game_row(header_of(turn_at(0, GAME.id)))])
    async with Writer(store, RecordMetrics(CollectorRegistry())) as writer:
        stored = StoredReviews(store, writer)
        assert await stored.read(GAME, SNAKE) is None
        await stored.keep(GAME, SNAKE, {"lost_at": 5})
        assert await stored.read(GAME, SNAKE) == b'{"lost_at":5}'
        assert await stored.read(GAME, "other") is None
        assert await store.review(GAME.id, SNAKE) == ReviewRow(
            GAME.id, SNAKE, len(GAME.turns), b'{"lost_at":5}'
        )


async def test_a_review_of_fewer_turns_is_none(recording: Recording) -> None:
    """A game that was imported again may have more turns."""
    store = recording.store
    rows = [ReviewRow(GAME.id, snake.id, len(GAME.turns) - n, b"{}") for n, snake in enumerate(GAME.snakes)]
    await store.add_rows([game_row(header_of(turn_at(0, GAME.id))), *rows])
    async with Writer(store, RecordMetrics(CollectorRegistry())) as writer:
        stored = StoredReviews(store, writer)
        assert [await stored.read(GAME, snake.id) for snake in GAME.snakes] == [b"{}", None]
