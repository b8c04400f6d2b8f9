"""The services of the compose file in real containers: games, a crash and an update meanwhile."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from urllib.parse import quote

import pytest

from benchmarks.chaos.result import STALL, Played
from tests.infra.containers.services import Services
from tests.support.games import GameSetup, run_game
from tests.support.http import wait_until
from tests.support.podman import Container, Podman
from tests.support.services import samples_in
from tests.support.stalls import ProcessWatch, StallWatch

IN_TIME = 60.0
"""Seconds for a service to start or to be noticed by another, which takes about five."""

SNAKES = 4

TIMEOUT = 500
"""Milliseconds in which the engine wants an answer."""

LATE = 0.05
"""The part of the answers that may be late even while the machine stalls."""


@pytest.fixture
def services(podman: Podman, tmp_path: Path) -> Iterator[Services]:
    """Yield all services, ready for moves."""
    services = Services(podman, tmp_path)
    with services.up():
        gateway, prometheus = services.container("gateway"), services.container("prometheus")
        wait_until(lambda: gateway.ask(8000, "/readyz")[0] == 200, IN_TIME)
        wait_until(lambda: asked(prometheus, "sum(up)") == 4, IN_TIME)
        yield services


def asked(prometheus: Container, query: str) -> float:
    """Return the value of a query at present; -1 if there is none."""
    status, body = prometheus.ask(9090, f"/api/v1/query?query={quote(query)}")
    found = json.loads(body)["data"]["result"] if status == 200 else []
    return float(found[0]["value"][1]) if found else -1.0


def counted(container: Container, port: int, name: str, **labels: str) -> float:
    """Return the sum of a service's samples of this name with these labels."""
    _, text = container.ask(port, "/metrics")
    return sum(each.value for each in samples_in(text, name) if labels.items() <= each.labels.items())


def games_during(engine: Path, gateway: Container, events: Callable[[], None]) -> list[Played]:
    """Play one game after another until the events are over and the last game has ended."""
    ended = Event()
    # The engine waits with the machine, the gateway with the other services.
    watches = StallWatch(), ProcessWatch(gateway.process)

    def play() -> Iterator[Played]:
        seed = 1
        while not ended.is_set():
            # Hazards that close in fast end a game within seconds.
            setup = GameSetup("standard", map="royale", seed=seed, hazard_damage=100, shrink_every=2)
            report = run_game(engine, [f"http://{gateway.address}:8000"] * SNAKES, setup)
            yield Played(report, max(watch.longest() for watch in watches))
            seed += 1

    with ThreadPoolExecutor(1) as pool:
        games = pool.submit(lambda: list(play()))
        try:
            events()
        finally:
            ended.set()
        return games.result()


def outcomes(services: Services) -> int:
    """Return how many outcomes are in the database."""
    return int(services.query("SELECT count(*) FROM outcomes").strip())


def slowest_moves(gateway: Container) -> list[tuple[float, str]]:
    """Return the milliseconds of the slowest moves, as the gateway measures them, with their log entries."""
    lines = [line for line in gateway.output.splitlines() if '"move":' in line]
    return sorted(((float(json.loads(line)["elapsed_ms"]), line) for line in lines), reverse=True)[:10]


@pytest.mark.alone
def test_games_go_on_through_a_crash_and_an_update(official_engine: Path, services: Services) -> None:
    """A killed searcher starts again, a new one takes over from a former one, and moves are in time."""
    gateway, canary = services.container("gateway"), services.container("searcher-canary")
    watch = ProcessWatch(gateway.process)

    def events() -> None:
        crashed = canary.process
        wait_until(lambda: counted(canary, 9100, "searcher_searches_total") > 0, IN_TIME)
        os.kill(crashed, signal.SIGKILL)
        wait_until(lambda: canary.process not in (0, crashed), IN_TIME)
        again = services.container("searcher-canary")
        wait_until(lambda: counted(again, 9100, "searcher_searches_total") > 0, IN_TIME)
        new = services.add("searcher-stable")
        wait_until(lambda: counted(new, 9100, "searcher_searches_total") > 0, IN_TIME)
        services.remove("searcher-stable")
        before = counted(new, 9100, "searcher_searches_total")
        wait_until(lambda: counted(new, 9100, "searcher_searches_total") > before + 20, IN_TIME)

    games = games_during(official_engine, gateway, events)
    answers = sum(len(game.report.latencies) for game in games)
    late = sum(game.late for game in games)
    slowest = slowest_moves(gateway)
    assert sum(game.unexcused for game in games) == 0, slowest
    assert late <= LATE * answers, slowest
    assert slowest[0][0] < TIMEOUT or watch.longest() >= STALL, slowest
    assert [game.failed for game in games] == [[]] * len(games)
    if not late:
        assert [game.report.needless_deaths for game in games] == [()] * len(games)
    moves = counted(gateway, 8000, "gateway_moves_total")
    # The engine does not keep the latency of a snake's last move.
    assert answers <= moves <= answers + SNAKES * len(games)
    assert services.container("searcher-stable").exit_code == 0
    # A crash costs the search of the moves that wait for the next start, and an update none.
    assert counted(gateway, 8000, "gateway_moves_total", source="search") > 0.8 * moves
    # The console stores them after the answers.
    wait_until(lambda: outcomes(services) == SNAKES * len(games), IN_TIME)
    prometheus = services.container("prometheus")
    wait_until(lambda: asked(prometheus, "sum(gateway_moves_total)") == moves, IN_TIME)
