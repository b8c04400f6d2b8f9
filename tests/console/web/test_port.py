"""The admin port as a whole: its paths, its access and its headers."""

import socket
from io import BytesIO

from battlesnake_search.ports.admin_address import AdminAddress
from console.settings import Settings as ConsoleSettings
from gateway.settings import Settings
from tests.console.web.console import playing, recording, running
from tests.gateway.clients import post_move
from tests.gateway.scripted_searcher import body
from tests.support.logs import capture_logs

NOBODY = "127.0.0.1:1"


KINDS = {
    "/": "text/html",
    "/game.html?game=x": "text/html",
    "/home.js": "javascript",
    "/viewer/viewer.js": "javascript",
    "/viewer/viewer.css": "text/css",
    "/metrics": "text/plain",
    "/healthz": "application/json",
    "/api/games": "application/json",
}


async def test_every_answer_has_strict_headers() -> None:
    """No page may run inline scripts or be framed, and no type is guessed. Nothing else is served."""
    async with running() as console:
        for path, kind in KINDS.items():
            async with console.admin.get(path) as answer:
                # Systems have different names for the type of scripts.
                assert answer.status == 200 and answer.content_type.endswith(kind)
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy and "unsafe" not in policy
                assert "script-src 'self'" in policy and "frame-ancestors 'none'" in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert "Access-Control-Allow-Origin" not in answer.headers
        unknown = ("/viewer/../app.py", "/../app.py", "/%2e%2e/app.py", "/api", "/move")
        # Without --boards, pages of other sites read no games.
        for path in (*unknown, "/games/g", "/games/g/frames", "/games/g/events"):
            async with console.admin.get(path) as answer:
                assert answer.status in (403, 404)


BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


async def test_an_unknown_address_has_a_page() -> None:
    """A browser gets a page with the reason and a way back. A program gets JSON, and so does the API."""
    nothing = "There is nothing at /"
    reasons = {"/nothing": nothing, "/deep/er/<b>": nothing, "/experiments": "no outcomes are recorded"}
    async with running() as console:
        for path, reason in reasons.items():
            async with console.admin.get(path, headers=BROWSER) as answer:
                assert answer.status == 404 and answer.content_type == "text/html"
                page = await answer.text()
            assert '<a href="/index.html">' in page and "{reason}" not in page and "<b>" not in page
            assert reason in page
        accepted: dict[str, dict[str, str]] = {
            "/api/nothing": BROWSER,
            "/nothing": {},
            "/api/games/x": BROWSER,
        }
        for path, accept in accepted.items():
            found = await console.get(path, 404, **accept)
            assert path.rpartition("/")[2] in found["error"]


async def test_every_refusal_has_a_reason_as_json() -> None:
    """It names the allowed methods or the largest body. A browser gets a page for a wrong method."""
    async with running() as console:
        async with console.admin.delete("/api/games") as answer:
            assert (answer.status, answer.headers["Allow"]) == (405, "GET,HEAD")
            assert await answer.json() == {"error": "/api/games allows GET, HEAD, not DELETE."}
        async with console.admin.post("/api/paste", data=BytesIO(bytes(2_000_000)), headers=JSON) as answer:
            assert answer.status == 413 and "1048576" in (await answer.json())["error"]
        async with console.admin.put("/", headers=BROWSER) as answer:
            assert (answer.status, answer.content_type) == (405, "text/html")
            page = await answer.text()
        assert "<h1>Not allowed</h1>" in page and "/ allows GET, HEAD, not PUT." in page


async def test_the_page_of_a_game_lets_the_browser_ask_early() -> None:
    """The header names the path that the page's script requests, as encodeURIComponent writes it."""
    async with running() as console:
        async with console.admin.get("/game.html?game=a/b%20(c)%22%0d") as answer:
            early = "</api/games/a%2Fb%20(c)%22%0D>; rel=preload; as=fetch; crossorigin=anonymous"
            assert answer.headers["Link"] == early
        async with console.admin.get("/game.html") as answer:
            assert "Link" not in answer.headers


async def test_a_taken_port_costs_the_pages_alone() -> None:
    """The console records, and a warning has the reason and the remedy."""
    with socket.create_server(("127.0.0.1", 0)) as taken, capture_logs() as lines:
        port = taken.getsockname()[1]
        async with recording(ConsoleSettings(admin=AdminAddress("127.0.0.1", port))) as (_, address):
            settings = Settings(searcher=NOBODY, console=address)
            async with playing(settings) as (client, stored):
                assert await post_move(client, body(timeout=200)) in ("up", "down", "left", "right")
                await stored()
    [warning] = [line for line in lines if line["event"] == "the console is not served"]
    assert warning["log_level"] == "warning" and str(port) in warning["address"]
    assert warning["reason"] == "address already in use" and "--admin" in warning["remedy"]


async def test_a_host_without_an_address_costs_the_pages_alone() -> None:
    """The reason is that of the name's resolution."""
    with capture_logs() as lines:
        async with recording(ConsoleSettings(admin=AdminAddress("nowhere.invalid", 8001))):
            pass
    [warning] = [line for line in lines if line["event"] == "the console is not served"]
    assert warning["reason"] and "unknown error" not in warning["reason"].lower()


async def test_the_public_port_shows_nothing_private() -> None:
    """Metrics, experiments and games are on the admin port alone, unless the public one is to have them."""
    async with running() as console:
        for path in ("/metrics", "/experiments", "/api/games", "/api/overview", "/game.html"):
            async with console.public.get(path) as answer:
                assert answer.status == 404


JSON = {"Content-Type": "application/json"}


async def test_only_a_port_of_the_network_serves_any_name() -> None:
    """A page that makes its own name point to this machine can't read games."""
    hosts = {"localhost:1": 200, "[::1]:1": 200, "127.0.0.1": 200, "evil.example": 421}
    async with running() as console:
        for host, status in hosts.items():
            await console.get("/api/games", status, Host=host)
    async with running(host="0.0.0.0") as console:
        assert await console.get("/api/games", Host="console.example") == {"games": []}


async def test_other_sites_may_not_post() -> None:
    """A form is refused, and so is a script of another origin; the console's own pages are not."""
    async with running() as console:
        for path in ("/api/analyze", "/api/evaluate", "/api/advance", "/api/games/x/blunders"):
            async with console.admin.post(path, data="{}", headers={"Content-Type": "text/plain"}) as form:
                assert form.status == 415
                assert "application/json" in (await form.json())["error"]
            for origin, is_refused in (("http://evil.example", True), (console.url, False)):
                async with console.admin.post(path, data="{}", headers=JSON | {"Origin": origin}) as answer:
                    assert (answer.status == 403) == is_refused
