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


async def test_an_address_that_is_unknown_or_secret_is_not_shown(tmp_path: Path) -> None:
    """A token is a part of its snake's address, and a gateway at any free port has none that is known."""
    routes = tmp_path / "routes.toml"
    routes.write_text(ROUTES.replace('path = "/away"\n', 'path = "/away"\ntoken = "a-token-of-16-letters"\n'))
    async with running(routes=routes) as console:
        root, away = (await console.get("/api/overview"))["snakes"]
    assert "url" in root and "url" not in away
    async with running(public_port=0) as console:
        [snake] = (await console.get("/api/overview"))["snakes"]
    assert "url" not in snake


async def test_an_experiment_that_several_snakes_share_is_shown_once(tmp_path: Path) -> None:
    """An arm that is never drawn has no share, and one without a strategy the searcher's default."""
    routes = tmp_path / "routes.toml"
    routes.write_text(
        "".join(
            f'[[snakes]]\npath = "{path}"\nexperiment = "x"\n'
            'arms = [{ name = "a", strategy = "s/e" }, { name = "b" }, { name = "c", weight = 0 }]\n'
            for path in ("/", "/more")
        )
    )
    async with running(routes=routes) as console:
        overview = await console.get("/api/overview")
    assert overview["experiments"] == [
        {
            "name": "x",
            "arms": [
                {"name": "a", "strategy": "s/e", "share": 0.5},
                {"name": "b", "strategy": "", "share": 0.5},
                {"name": "c", "strategy": "", "share": 0.0},
            ],
        }
    ]
    assert [snake["strategy"] for snake in overview["snakes"]] == ["s/e, "] * 2


async def test_games_are_counted(tmp_path: Path) -> None:
    """Those that go on and those that are kept; a gateway that records none counts what it has lost."""
    async with running() as console:
        await console.play("over", range(1))
        await console.play("live", range(1), ends=False)
        await console.game("live")
        assert (await console.get("/api/overview"))["counts"] == {
            "lost_records": 0,
            "probes": 0,
            "games_now": 1,
            "games_kept": 2,
        }
    async with running(games=None) as console:
        assert (await console.get("/api/overview"))["counts"] == {"lost_records": 0, "probes": 0}
