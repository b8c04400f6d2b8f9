"""The Battlesnake API over real sockets, in front of scripted searchers."""

import asyncio
import gzip
import json
import socket
from pathlib import Path

import pytest
from yarl import URL

from battlesnake_search.board import MOVES
from battlesnake_search.contract.limits import LARGEST_BODY
from gateway.webhooks import GAMES
from tests.gateway import scripted_searcher
from tests.gateway.clients import metrics_with, playing, post_move
from tests.gateway.scripted_searcher import REQUESTS, Gateway, ScriptedService, body
from tests.support.logs import capture_logs

NOBODY = "127.0.0.1:1"


async def test_every_recorded_request_is_answered() -> None:
    """Each request of the official engine gets 200 and, on /move, the searcher's move."""
    service = ScriptedService(scripted_searcher.at_once)
    async with scripted_searcher.searcher(service) as target, scripted_searcher.gateway(target) as client:
        for number, file in enumerate(sorted(REQUESTS.glob("*.json"))):
            # Each is of a game of its own, so that no one is a repetition.
            sent = body(file.stem, id=f"game {number}")
            path = next(name for name in ("/start", "/move", "/end") if f"-{name[1:]}-" in file.name)
            async with client.post(path, json=sent) as answer:
                expected = {"move": "up"} if path == "/move" else {}
                assert (answer.status, await answer.json()) == (200, expected), file.name
    assert len(service.requests) == len([*REQUESTS.glob("*-move-*.json")])


async def test_the_index_has_the_snakes_appearance() -> None:
    """GET / answers with the API's version and the appearance, all of them strings."""
    async with scripted_searcher.gateway(NOBODY) as client, client.get("/") as answer:
        appearance = await answer.json()
    assert set(appearance) == {"apiversion", "author", "color", "head", "tail", "version"}
    assert appearance["apiversion"] == "1" and all(isinstance(value, str) for value in appearance.values())


@pytest.mark.parametrize("path", ["/start", "/move", "/end"])
async def test_a_webhook_takes_posts_alone(tmp_path: Path, path: str) -> None:
    """The path of a webhook is no snake: a GET of it is answered with the allowed method."""
    file = tmp_path / "routes.toml"
    file.write_text('[[snakes]]\npath = "/hydra"\narms = [{ name = "a" }]\n')
    for routes in (None, file):
        async with scripted_searcher.gateway(NOBODY, routes=routes) as client, client.get(path) as answer:
            assert (answer.status, answer.headers["Allow"]) == (405, "POST")


async def test_an_invalid_body_is_refused_by_field() -> None:
    """A body without a board gets 400 and the path of the field, on all three webhooks."""
    sent = body()
    sent["board"]["width"] = 0
    async with scripted_searcher.gateway(NOBODY) as client:
        for path in ("/start", "/move", "/end"):
            async with client.post(path, json=sent) as answer:
                assert answer.status == 400
                assert (await answer.json())["field"] == "board.width"
        async with client.get("/metrics") as metrics:
            assert "gateway_bad_requests_total 3.0" in await metrics.text()


async def test_a_body_is_mended_rather_than_refused() -> None:
    """A fault in an unneeded field costs no request on any webhook. It is counted, and logged once a game."""
    sent = body()
    sent["board"]["food"] = None
    sent["you"]["health"] = "much"
    with capture_logs() as lines:
        async with playing(scripted_searcher.at_once) as client:
            for path in ("/start", "/move", "/end"):
                async with client.post(path, json=sent) as answer:
                    assert (answer.status, await answer.json()) == (
                        200,
                        {"move": "up"} if path == "/move" else {},
                    )
            await metrics_with(client, 'gateway_mended_bodies_total{kind="null"} 3.0')
            await metrics_with(client, 'gateway_mended_bodies_total{kind="type"} 3.0')
    assert [line["kinds"] for line in lines if line["event"] == "body mended"] == [["null", "type"]]


async def test_an_invalid_body_is_logged_with_its_path(tmp_path: Path) -> None:
    """The log has the snake and the webhook, but not the token of the snake's address."""
    routes, token = tmp_path / "routes.toml", "a-token-of-16-letters"
    routes.write_text(f'[[snakes]]\npath = "/hydra"\ntoken = "{token}"\narms = [{{ name = "a" }}]\n')
    with capture_logs() as lines:
        async with scripted_searcher.gateway(NOBODY, routes=routes) as client:
            for path in ("/move", f"/hydra-{token}/end"):
                async with client.post(path, data=b"{}") as answer:
                    assert answer.status == 400
    assert [line["path"] for line in lines if line["event"] == "bad body"] == ["/move", "/hydra/end"]


async def test_an_answer_is_sent_in_one_packet() -> None:
    """One read from the socket gets headers and body; two packets would cost the engine 45 ms."""
    sent = json.dumps(body()).encode()
    head = b"POST /move HTTP/1.1\r\nHost: snake\r\nContent-Length: %d\r\n\r\n" % len(sent)
    loop = asyncio.get_running_loop()
    async with playing(scripted_searcher.at_once) as client:
        with socket.create_connection(("127.0.0.1", client.port or 0)) as connection:
            connection.setblocking(False)
            for _ in range(5):
                await loop.sock_sendall(connection, head + sent)
                answer = await loop.sock_recv(connection, 65536)
                assert answer.startswith(b"HTTP/1.1 200") and answer.endswith(b'{"move":"up"}')


TOKEN = "9f3c0a7d51e2b846"
LIBERAL = f"""
[[snakes]]
path = "/"
arms = [{{ name = "a" }}]

[[snakes]]
path = "/snake"
arms = [{{ name = "a" }}]

[[snakes]]
path = "/secret"
token = "{TOKEN}"
arms = [{{ name = "a" }}]
"""


def _raw(client: Gateway, path: str) -> URL:
    """Return the URL of a path as it is."""
    return URL(f"http://{client.host}:{client.port}{path}", encoded=True)


@pytest.mark.parametrize(
    "path",
    [
        *("//move", "/move/", "/move?token=x"),
        *("/snake/move?x=1", "///snake///move///", f"//secret-{TOKEN}/move"),
    ],
)
async def test_slashes_and_queries_cost_no_move(tmp_path: Path, path: str) -> None:
    """A path with slashes too many, or with a query, is answered without a redirect."""
    routes = tmp_path / "routes.toml"
    routes.write_text(LIBERAL)
    async with (
        scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once)) as target,
        scripted_searcher.gateway(target, routes=routes) as client,
        client.session.post(_raw(client, path), json=body(), allow_redirects=False) as answer,
    ):
        assert (answer.status, await answer.json()) == (200, {"move": "up"})


async def test_other_paths_stay_exact(tmp_path: Path) -> None:
    """Slashes too many open no other path, and the snake is the one of the tidy path."""
    routes = tmp_path / "routes.toml"
    routes.write_text(LIBERAL)
    async with scripted_searcher.gateway(NOBODY, routes=routes) as client:
        for path, status in (
            *(("//", 200), ("//snake", 200), ("/snake//", 200), (f"//secret-{TOKEN}", 200)),
            *(("//secret", 404), ("//secret-", 404), (f"/secret/-{TOKEN}", 404), ("/snake//nothing", 404)),
            *(("//move", 405), ("//healthz", 200)),
        ):
            async with client.session.get(_raw(client, path)) as answer:
                assert (path, answer.status) == (path, status)


@pytest.mark.parametrize(
    ("accept", "is_page"),
    [
        *((None, False), ("*/*", False), ("", False), ("application/json", False)),
        *(("application/json, text/html;q=0.1", False), ("text/html, application/json", False)),
        *(("text/html", True), ("TEXT/HTML; q=0.9, */*;q=0.8", True)),
    ],
)
async def test_only_browsers_get_the_page(accept: str | None, is_page: bool) -> None:
    """Every other client gets JSON."""
    async with (
        scripted_searcher.gateway(NOBODY) as client,
        client.get("/", headers={} if accept is None else {"Accept": accept}) as answer,
    ):
        assert (answer.content_type == "text/html") == is_page


async def test_a_browser_gets_a_page_about_the_snake(tmp_path: Path) -> None:
    """The page has the looks and the address to register, runs no script, and shows nothing else."""
    routes = tmp_path / "routes.toml"
    routes.write_text(
        '[[snakes]]\npath = "/"\nname = "<b>Hydra</b>"\ncolor = "#12ab34"\narms = [{ name = "secret" }]\n'
        '[[snakes]]\npath = "/other"\narms = [{ name = "x" }]'
    )
    accept = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    async with scripted_searcher.gateway(NOBODY, routes=routes) as client:
        async with client.get("/", headers=accept | {"X-Forwarded-Proto": "https"}) as answer:
            page = await answer.text()
            assert answer.content_type == "text/html" and answer.headers["Vary"] == "Accept"
            assert "script-src" not in answer.headers["Content-Security-Policy"]
            address = f"https://{answer.url.host}:{answer.url.port}/"
        async with client.get("/other", headers=accept) as answer:
            assert f"{answer.url}</code>" in await answer.text()
        async with client.get("/") as answer:
            assert (await answer.json())["name"] == "<b>Hydra</b>"
    assert "&lt;b&gt;Hydra&lt;/b&gt;" in page and "<b>" not in page and "<script" not in page
    assert "#12ab34" in page and f"<code>{address}</code>" in page
    assert "secret" not in page and "/other" not in page


async def test_a_dead_snake_gets_a_reflex() -> None:
    """Some engines ask snakes that have left the board. No searcher would take the position."""
    service, sent = ScriptedService(scripted_searcher.at_once), body()
    sent["board"]["snakes"] = [one for one in sent["board"]["snakes"] if one["id"] != sent["you"]["id"]]
    async with scripted_searcher.searcher(service) as target, scripted_searcher.gateway(target) as client:
        assert await post_move(client, sent) in MOVES
    assert service.requests == []


async def test_a_board_that_no_engine_has_gets_a_reflex() -> None:
    """It is neither searched nor recorded, because a look at all its cells would stop the gateway."""
    service = ScriptedService(scripted_searcher.at_once)
    huge = body()
    huge["board"] |= {"width": 2**31 - 1, "height": 2**31 - 1}
    async with scripted_searcher.searcher(service) as target, scripted_searcher.gateway(target) as client:
        move = await post_move(client, huge)
        for path in ("/start", "/end"):
            async with client.post(path, json=huge) as answer:
                assert (answer.status, await answer.json()) == (200, {})
        assert len(client.app[GAMES]) == 0
        huge["board"] |= {"width": 64, "height": 64}
        await post_move(client, huge)
    assert move in MOVES and len(service.requests) == 1


async def test_a_body_larger_than_those_of_all_engines_is_refused() -> None:
    """The refusal comes before the body, and names the most bytes. The largest body that an engine sends is
    answered: 8 snakes of 40 parts in snail mode."""
    real, cells = body(), [{"x": number % 25, "y": number // 25} for number in range(320)]
    snakes = [
        {"id": f"gs_{number}", "name": "n" * 255, "health": 90, "shout": "s" * 255, "latency": "400"}
        | {"body": cells[40 * number : 40 * number + 40], "customizations": {"color": "#ff00ff"}}
        for number in range(8)
    ]
    hazards = [{"x": 24, "y": 24} for _ in range(8) for length in range(40) for _ in range(length)]
    real["board"] = {"width": 25, "height": 25, "snakes": snakes, "food": [], "hazards": hazards}
    real["you"] = snakes[0]
    sent = json.dumps(real, separators=(",", ":")).encode()
    assert LARGEST_BODY / 2.5 < len(sent) < LARGEST_BODY / 2
    service = ScriptedService(scripted_searcher.at_once)
    async with scripted_searcher.searcher(service) as target, scripted_searcher.gateway(target) as client:
        async with client.post("/move", data=sent) as answer:
            assert answer.status == 200
        for data in (b" " * LARGEST_BODY + sent, gzip.compress(b" " * LARGEST_BODY + sent)):
            headers = {"Content-Encoding": "gzip"} if data[:2] == b"\x1f\x8b" else {}
            async with client.post("/move", data=data, headers=headers) as answer:
                assert answer.status == 413 and str(LARGEST_BODY) in await answer.text()
    assert len(service.requests) == 1


async def test_a_flood_of_bad_bodies_is_few_lines() -> None:
    """The next line has the number of those that were left out."""
    with capture_logs() as lines:
        async with scripted_searcher.gateway(NOBODY) as client:
            for _ in range(200):
                async with client.post("/move", data=b"{") as answer:
                    assert answer.status == 400
    bad = [line for line in lines if line["event"] == "bad body"]
    assert 1 <= len(bad) < 50
