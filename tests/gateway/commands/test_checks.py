"""The results of a gateway's check."""

import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import grpc
import pytest
from grpc_health.v1 import health_pb2

from battlesnake_search.children.service import SEARCHER_COMMAND
from battlesnake_search.ports.admin_address import ADMIN_REMEDY, AdminAddress
from console.store.database import NO_DATABASE, OutcomesDatabase, read_database
from gateway.commands import checks
from gateway.commands.checks import CheckResult, check
from gateway.routes.strategy_check import PATIENCE
from gateway.settings import Settings
from tests.gateway import scripted_searcher
from tests.gateway.listing_searcher import ListingService
from tests.searcher.plugins.packages import GOOD, PACKAGE, path_with, unpack
from tests.searcher.trials.faulty import FAULTY

NOBODY = "127.0.0.1:1"


def _settings(
    searcher: str = NOBODY,
    port: int = 0,
    strategy: str = "",
    outcomes: OutcomesDatabase = NO_DATABASE,
    routes: Path | None = None,
    admin: AdminAddress | None = None,
) -> Settings:
    return Settings(
        searcher, strategy, host="127.0.0.1", port=port, outcomes=outcomes, routes=routes, admin=admin
    )


async def _results(settings: Settings, command: Sequence[str] = SEARCHER_COMMAND) -> dict[str, CheckResult]:
    """Return the results by their subject; an arm's subject is the names of snake and arm."""
    # No searcher will ever answer there: there is nothing to wait for.
    patience = 0.2 if settings.searcher == NOBODY else PATIENCE
    with patch.object(checks, "PATIENCE", patience):
        results = [result async for result in check(settings, command)]
    return {
        result.detail.partition(" plays")[0].partition(":")[0]
        if result.subject in ("arm", "shadow")
        else result.subject: result
        for result in results
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of the routes file."""
    return tmp_path / "routes.toml"


async def test_a_gateway_that_would_work_passes(tmp_path: Path, file: Path) -> None:
    """There is a result for the port, the database, the routes, the searcher and each arm."""
    file.write_text(
        '[[snakes]]\npath = "/a"\narms = [{ name = "x", strategy = "paranoid/area" }]\n'
        'shadows = [{ name = "y", strategy = "paranoid/length" }]'
    )
    database = tmp_path / "outcomes.sqlite"
    async with scripted_searcher.searcher(ListingService("area", "length")) as target:
        results = await _results(_settings(target, outcomes=read_database(str(database)), routes=file))
    assert [subject for subject, result in results.items() if not result.passed] == []
    assert list(results) == ["port", "outcomes", "routes", "searcher", "/a x", "/a y", "/ default"]
    assert " answers; searches: " in results["searcher"].detail
    assert "evaluators: area, length" in results["searcher"].detail
    assert "paranoid/area" in results["/a x"].detail and not database.exists()
    assert results["outcomes"].detail == f"{database} will be created"


async def test_each_wrong_name_is_found_with_its_remedy(file: Path) -> None:
    """An arm that the searcher can't play fails, with the valid names and the file to correct."""
    file.write_text(
        '[[snakes]]\npath = "/a"\narms = [{ name = "x", strategy = "paranoid/aria" }, { name = "y" }]'
    )
    async with scripted_searcher.searcher(ListingService("area")) as target:
        results = await _results(_settings(target, strategy="maxn/area", routes=file))
    assert "unknown evaluator 'aria'; valid: area" in results["/a x"].detail
    assert results["/a x"].remedy == f"Correct {file}."
    assert results["/ default"].remedy == "Correct --strategy."
    assert results["/a y"].passed and results["searcher"].passed


async def test_an_invalid_file_is_found(file: Path) -> None:
    """The result has the field. Without routes no searcher is checked."""
    file.write_text('[[snakes]]\npath = "/metrics"\narms = [{ name = "x" }]')
    results = await _results(_settings(routes=file))
    assert "snakes[0].path: /metrics is one of the gateway's own paths" in results["routes"].detail
    assert "docs/routing.md" in results["routes"].remedy and "searcher" not in results
    missing = await _results(_settings(routes=file / "none"))
    assert not missing["routes"].passed and missing["routes"].detail == f"{file}/none: Not a directory"


@pytest.mark.usefixtures("compiled")
async def test_an_evaluator_that_fails_its_trial_fails_its_arm(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The embedded searcher lists an evaluator before it has tried it, and one that can't be loaded never."""
    modules = GOOD | {"misspelt": FAULTY["misspelt"][0]}
    unpack(tmp_path / "site", modules, {name: f"{PACKAGE}.{name}" for name in ("misspelt", "absent")})
    monkeypatch.setenv("PYTHONPATH", path_with(tmp_path / "site"))
    monkeypatch.setenv("SEARCHER_ONLY", "paranoid/misspelt")
    file.write_text(
        '[[snakes]]\npath = "/"\narms = [{ name = "fine" }, { name = "x", strategy = "paranoid/misspelt" }, '
        '{ name = "y", strategy = "paranoid/absent" }]'
    )
    results = await _results(_settings("", routes=file))
    assert results["searcher"].passed and results["/ fine"].passed
    place = f"{tmp_path}/site/{PACKAGE}/misspelt.py:10"
    reason = "board has no field 'lenght'; nearest: length"
    assert f"faulty evaluator misspelt: {reason} ({place})" in results["/ x"].detail
    assert results["/ x"].remedy == f"Correct {file}."
    assert "faulty evaluator absent: ModuleNotFoundError: No module" in results["/ y"].detail


async def test_a_port_in_use_is_found() -> None:
    """The remedy is another port."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        results = await _results(_settings(port=port))
    assert results["port"] == CheckResult(
        "port",
        f"can't listen on 127.0.0.1, port {port}: address already in use",
        "Stop the program that listens there, or choose another port with --port or PORT.",
    )


async def test_the_port_of_the_console_is_checked_too() -> None:
    """Without a console its port is not checked. A port in use has the remedy of its own option."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        results = await _results(_settings(admin=AdminAddress("127.0.0.1", port, 8000)))
        default = AdminAddress("127.0.0.1", port, 8000, is_chosen=False)
        replaced = await _results(_settings(admin=default))
    reason = f"can't listen on 127.0.0.1, port {port}: address already in use"
    assert results["admin"] == CheckResult("admin", reason, ADMIN_REMEDY)
    note = f"127.0.0.1, port {port} is in use, so a free port takes its place"
    assert replaced["admin"] == CheckResult("admin", note)
    free = await _results(_settings(admin=AdminAddress("127.0.0.1", 0, 8000)))
    assert free["admin"] == CheckResult("admin", "127.0.0.1, any free port")
    assert "admin" not in await _results(_settings())


def test_results_are_columns() -> None:
    """A failed check has its remedy behind the reason."""
    assert str(CheckResult("port", "it is free")) == "ok    port      it is free"
    assert str(CheckResult("routes", "line 2", "Correct it.")) == "FAIL  routes    line 2. Correct it."


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("text", "its file is not an SQLite database"),
        ("text/file", "can't be created: {folder}/text is not a folder that you may write to"),
    ],
)
async def test_a_database_that_does_not_open_is_found(tmp_path: Path, name: str, reason: str) -> None:
    """The result has the reason in words."""
    (tmp_path / "text").write_text("no database, but longer than nothing" * 10)
    results = await _results(_settings(outcomes=read_database(str(tmp_path / name))))
    assert not results["outcomes"].passed
    assert reason.format(folder=tmp_path) in results["outcomes"].detail


async def test_the_folder_of_a_new_database_is_not_created(tmp_path: Path) -> None:
    """A check creates nothing."""
    results = await _results(_settings(outcomes=read_database(str(tmp_path / "new" / "games.sqlite"))))
    assert results["outcomes"].detail.endswith("games.sqlite will be created")
    assert results["outcomes"].passed and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("searcher", "remedy"),
    [(NOBODY, "Start a searcher there"), ("searcher.invalid:1", "Correct the name")],
)
async def test_a_searcher_that_does_not_answer_is_found(searcher: str, remedy: str) -> None:
    """A stopped searcher and a name without an address have different results."""
    results = await _results(_settings(searcher))
    assert not results["searcher"].passed and searcher in results["searcher"].detail
    assert remedy in results["searcher"].remedy and "/ default" not in results


async def test_a_searcher_that_requires_a_token() -> None:
    """The remedy is the option for a token."""
    service = ListingService("area", refusals=1)
    service.refusal = grpc.StatusCode.UNAUTHENTICATED
    async with scripted_searcher.searcher(service) as target:
        refused = (await _results(_settings(target)))["searcher"]
    assert "UNAUTHENTICATED" in refused.detail and "--searcher-token" in refused.remedy


async def test_a_searcher_that_is_not_serving_is_found() -> None:
    """A searcher that still compiles lists its strategies, but is not ready."""
    not_serving = health_pb2.HealthCheckResponse.NOT_SERVING
    async with scripted_searcher.searcher(ListingService("area"), status=not_serving) as target:
        results = await _results(_settings(target))
    assert "NOT_SERVING" in results["searcher"].detail and not results["searcher"].passed


async def test_an_embedded_searcher_that_does_not_start_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The remedy is the command that shows the error."""
    monkeypatch.setattr(checks, "_STARTUP", 2.0)
    failing = [sys.executable, "-c", "raise RuntimeError('no compiler')"]
    results = await _results(_settings(""), failing)
    assert "python -m searcher serve" in results["searcher"].remedy
