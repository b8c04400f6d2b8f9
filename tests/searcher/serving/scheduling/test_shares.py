"""The shares of concurrent games, in simulations of games that request move after move."""

import heapq
import random

import pytest

from searcher.serving.scheduling.admission import Admission, Entry

MOVE = 0.44
"""Seconds of a search, as in games with a timeout of 500 ms."""

SETTLED, END = 2.0, 30.0
"""Seconds of the simulation: until games are counted, and in all."""


def seconds_by_game(games: int, workers: int, seed: int) -> list[float]:
    """Return the seconds of search of each game. A game requests its next move some milliseconds later."""
    draw = random.Random(seed)
    arrivals = [(draw.random() * MOVE, game) for game in range(games)]
    heapq.heapify(arrivals)
    admission, games_of, found, now = Admission(workers), dict[Entry, int](), [0.0] * games, 0.0
    while now < END:
        ends = [(max(end, now), entry) for entry, end in admission.ends(now)]
        ended, entry = min(ends, key=lambda each: each[0], default=(END, None))
        if arrivals and arrivals[0][0] <= ended:
            now, game = heapq.heappop(arrivals)
            asked = Entry(now + MOVE)
            assert admission.admit(asked, now)
            games_of[asked] = game
        elif entry is None:
            break
        else:
            now, game = ended, games_of.pop(entry)
            admission.remove(entry)
            found[game] += now - entry.started if now > SETTLED else 0.0
            heapq.heappush(arrivals, (now + 0.003 + 0.004 * draw.random(), game))
        while admission.start_next(now) is not None:
            pass
    return found


@pytest.mark.parametrize("games", [3, 4, 8, 16, 64])
def test_no_game_has_less_than_nine_tenths_of_its_share(games: int) -> None:
    """The order in which games happen to call gives none of them an advantage that lasts."""
    for seed in range(3):
        found = seconds_by_game(games, workers=2, seed=seed)
        assert min(found) >= 0.9 * sum(found) / games
        # The two cores search all the time.
        assert sum(found) >= 0.95 * 2 * (END - SETTLED)
