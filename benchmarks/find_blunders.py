"""The planted blunders that a review finds: python -m benchmarks.find_blunders FILE [GAMES].

FILE is made by benchmarks.plant_blunders. The command prints a line for each game, then the number of losing
turns that were planted, and the longest time. The searcher is embedded.
"""

import asyncio
import sys
from pathlib import Path

from battlesnake_search.searcher_client import SearcherClient
from benchmarks.plant_blunders import PlantedGame, read_planted
from gateway.console.game_review import Budget, GameReview
from gateway.console.review import Review, our_snakes
from gateway.replay.assembly import whole
from gateway.searchers.embedded import embedded
from gateway.searchers.service import Service

LIMIT = 30.0
"""Seconds that a game may take."""

BUDGET = Budget()

SHARE = 19 / 20
"""The share of losing turns that must be found."""


def main() -> None:
    """Print the figures; the exit status is 1 if too few are found or a game takes too long."""
    games = read_planted(Path(sys.argv[1]))
    games = games[: int(sys.argv[2])] if len(sys.argv) > 2 else games
    sys.exit(0 if asyncio.run(_find_all(games)) else 1)


async def review_of(
    client: SearcherClient, planted: PlantedGame, budget: Budget = BUDGET, strategy: str | None = None
) -> Review:
    """Return the review of a game for the snake with the planted move; None is the snake's own strategy."""
    game = whole(planted.header, planted.records)
    return await GameReview(client, game, our_snakes(game)[0], budget, strategy).run()


async def _find_all(games: list[PlantedGame]) -> bool:
    reviews = []
    async with embedded(Service()) as target, SearcherClient(target) as client:
        while await client.trouble():
            await asyncio.sleep(0.2)
        for planted in games:
            review = await review_of(client, planted)
            reviews.append(review)
            note = "found" if review.lost_at == planted.planted else f"named {review.lost_at}"
            print(
                f"{review.game:12} planted {planted.planted:3}  {note:10} {review.seconds:5.1f} s", flush=True
            )
    found = sum(each.lost_at == game.planted for each, game in zip(reviews, games, strict=True))
    longest = max(review.seconds for review in reviews)
    print(f"{found} of {len(games)} losing turns found; the longest review took {longest:.1f} s")
    return found >= SHARE * len(games) and longest < LIMIT


if __name__ == "__main__":
    main()
