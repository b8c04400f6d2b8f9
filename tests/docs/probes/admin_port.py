"""One step more of each input of the admin port."""

from contextlib import ExitStack
from functools import partial

import pytest
from aiohttp import WSCloseCode
from prometheus_client import CollectorRegistry

from battlesnake_search.record.events import Ended
from console.replay import remote
from console.replay.servers import RemoteGameError, read_address
from console.reviews.reviewer import Reviewer
from console.searchers import Searchers
from console.store.feed import Feed, TooManyReadersError
from console.store.writer import Writer
from tests.battlesnake_search.ports import test_passwords
from tests.console.film import test_forms
from tests.console.replay import test_remote
from tests.console.replay.game_server import serving, walk
from tests.console.reviews import test_reviewer
from tests.console.store.game_samples import ARM, recording, turn_at
from tests.console.store.outcome_samples import outcome_with
from tests.console.web import test_films
from tests.console.web.console import running
from tests.docs.bounds import probe, tested


def _read(most: int, is_public: bool) -> None:
    feed = Feed()
    with ExitStack() as stack:
        for number in range(most):
            stack.enter_context(feed.reading(str(number), is_public=is_public))
        with pytest.raises(TooManyReadersError):
            stack.enter_context(feed.reading("one more", is_public=is_public))


@probe("console.store.feed.MAX_READERS")
async def _readers(most: int) -> None:
    _read(most, is_public=False)


@probe("console.store.feed.MAX_PUBLIC_READERS")
async def _public_readers(most: int) -> None:
    _read(most, is_public=True)


@probe("console.web.frames.MOST_FRAMES")
async def _frames(most: int) -> None:
    async with running(boards=["*"]) as console:
        await console.play("g", range(2))
        await console.get(f"/games/g/frames?limit={most}")
        await console.get(f"/games/g/frames?limit={most + 1}", status=400)


@probe("console.web.frames.LONGEST_MESSAGE")
async def _message(most: int) -> None:
    async with running(boards=["*"]) as console:
        await console.play("g", range(2), ends=False)
        async with console.admin.ws_connect("/games/g/events") as socket:
            await socket.send_str("x" * (most - 1))
            assert [(await socket.receive_json())["Type"] for _ in range(2)] == ["frame", "frame"]
            await socket.send_str("x" * (most + 1))
            assert (await socket.receive()).data == WSCloseCode.MESSAGE_TOO_BIG


@probe("console.store.feed.MAX_WAITING")
async def _events(most: int) -> None:
    feed = Feed()
    with feed.reading("a") as reader:
        feed.offer("a", partial(bytes, most))
        assert not reader.is_dropped
        feed.offer("a", partial(bytes, 1))
        assert reader.is_dropped


@probe("console.reviews.reviewer.MOST_WAITING")
async def _lost_games(most: int) -> None:
    async with recording() as records, Writer(records.store, CollectorRegistry()) as writer:
        await writer.opened.wait()
        reviewer = Reviewer(records.library, records.store, writer, Searchers(), after_losses=True)
        for number in range(most + 1):
            assert reviewer._lost.qsize() == number
            reviewer.take(Ended(turn_at(9, str(number)), ARM, outcome_with(result="loss")))
        assert reviewer._lost.qsize() == most


@probe("console.replay.remote.MOST_TURNS")
async def _turns(_most: int) -> None:
    with pytest.MonkeyPatch.context() as monkey:
        monkey.setattr(remote, "MOST_TURNS", 3)
        async with serving(walk(3), walk(4, ID="long")) as server:
            _, positions = await remote.fetch(read_address(f"{server.url}/games/walk"))
            assert len(positions) == 3
            with pytest.raises(RemoteGameError, match="has more than 3 turns"):
                await remote.fetch(read_address(f"{server.url}/games/long"))


@probe("console.replay.remote.MOST_BYTES")
async def _bytes_of_answers(_most: int) -> None:
    with pytest.MonkeyPatch.context() as monkey:
        monkey.setattr(remote, "MOST_BYTES", 1_000_000)
        async with serving() as server:
            with pytest.raises(RemoteGameError, match="has more than 1 MB"):
                await remote.fetch(read_address(f"{server.url}/games/endless"))


tested("console.reviews.reviewer.MOST_KEPT", test_reviewer.test_the_newest_reviews_are_kept)
tested(
    "battlesnake_search.ports.passwords.MAX_ADDRESSES",
    test_passwords.test_the_addresses_of_the_newest_wrong_passwords_are_remembered,
)
tested(
    "battlesnake_search.ports.passwords.FAILURES_A_SECOND",
    test_passwords.test_five_wrong_passwords_a_second_are_too_many,
)
tested("console.web.films.MOST", test_films.test_a_film_beyond_the_most_is_refused)
tested("console.web.films.MOST_SECONDS", test_films.test_a_fault_costs_the_film_alone)
tested("console.film.forms.MOST_PIXELS", test_forms.test_a_film_without_bounds_is_refused)
tested("console.replay.remote.REQUEST_SECONDS", test_remote.test_a_slow_server_is_given_up)
tested("console.replay.remote.ALL_SECONDS", test_remote.test_a_slow_server_is_given_up)
