"""The games that are being recorded, within their bound."""

import msgspec

from console.store.live import LiveGame, LiveGames
from console.store.values import GameSnake
from tests.console.store.game_samples import header_with


def _played(game: str, turns: int = 0, record: bytes = b"") -> LiveGame:
    """Return a game of some turns with a newest record."""
    played = LiveGame(header_with(game, turns=turns))
    played.note_record(record)
    return played


def test_games_of_few_turns_are_forgotten_first() -> None:
    """A stranger who begins many games, or sends many snakes, drives out no game that is played."""
    games = LiveGames(300_000)
    games.keep(_played("played", turns=20, record=bytes(500)))
    for number in range(200):
        games.keep(_played(f"strange {number}", record=bytes(500)))
        assert sum(game.size for game in games) <= 300_000
    assert games.get("played") is not None and 2 < len(games) < 20


def test_the_header_counts() -> None:
    """Names, colours, heads and tails are a stranger's to choose."""
    snakes = [GameSnake(str(number), "n" * 256, "c" * 256, "h" * 256, "t" * 256) for number in range(16)]
    games = LiveGames(1_000_000)
    for number in range(100):
        games.keep(LiveGame(msgspec.structs.replace(header_with(f"g{number}"), snakes=snakes)))
    assert len(games) < 20
