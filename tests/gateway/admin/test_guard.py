"""What pages of other sites may not do."""

import pytest

from tests.gateway.admin.console import running

JSON = {"Content-Type": "application/json"}
POSTED = ("/api/analyze", "/api/evaluate", "/api/advance", "/api/games/x/blunders")


@pytest.mark.parametrize(
    ("host", "status"), [("localhost:1", 200), ("[::1]:1", 200), ("127.0.0.1", 200), ("evil.example", 421)]
)
async def test_a_loopback_port_serves_loopback_names(host: str, status: int) -> None:
    """A page that makes its own name point to this machine can't read games."""
    async with running() as console, console.admin.get("/api/games", headers={"Host": host}) as answer:
        assert answer.status == status


async def test_a_port_of_the_network_serves_any_name() -> None:
    """Whoever opens the port to others chooses its names."""
    async with running(host="0.0.0.0") as console:
        assert await console.get("/api/games", Host="console.example") == {"games": []}


@pytest.mark.parametrize("path", POSTED)
async def test_other_sites_may_not_post(path: str) -> None:
    """A form is refused, and so is a script of another origin; the console's own pages are not."""
    async with running() as console:
        async with console.admin.post(path, data="{}", headers={"Content-Type": "text/plain"}) as form:
            assert form.status == 415
            assert "application/json" in (await form.json())["error"]
        for origin, is_refused in (("http://evil.example", True), (console.url, False)):
            async with console.admin.post(path, data="{}", headers=JSON | {"Origin": origin}) as answer:
                assert (answer.status == 403) == is_refused
