"""GET /api/overview."""

from pathlib import Path

from tests.gateway.admin.console import running

ROUTES = """
[[snakes]]
path = "/"
name = "Root"
color = "#112233"
arms = [{ name = "a", strategy = "paranoid/area", weight = 3 }, { name = "b" }]

[[snakes]]
path = "/away"
arms = [{ name = "far", searcher = "127.0.0.1:1", strategy = "maxn/area" }]
"""


async def test_it_names_snakes_searchers_and_experiments(tmp_path: Path) -> None:
    """Snakes have looks and addresses, searchers their state, and draws of several arms their shares."""
    routes = tmp_path / "routes.toml"
    routes.write_text(ROUTES)
    async with running(routes=routes) as console:
        overview = await console.get("/api/overview")
    root, away = overview["snakes"]
    assert (root["name"], root["color"], root["url"]) == ("Root", "#112233", "http://127.0.0.1:8000/")
    assert (away["path"], away["strategy"], away["url"]) == (
        "/away",
        "maxn/area",
        "http://127.0.0.1:8000/away",
    )
    assert sorted(searcher["serving"] for searcher in overview["searchers"]) == [False, True]
    [down] = [one for one in overview["searchers"] if not one["serving"]]
    assert down["address"] == "127.0.0.1:1" and "UNAVAILABLE" in down["trouble"]
    [experiment] = overview["experiments"]
    assert experiment["name"] == "default"
    assert [(arm["name"], arm["share"]) for arm in experiment["arms"]] == [("a", 0.75), ("b", 0.25)]
