"""The results of a gateway's check."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from battlesnake_search.ports.checks import CheckResult
from gateway.commands import checks
from gateway.commands.checks import check
from gateway.routes.strategy_check import PATIENCE
from gateway.settings import NO_CONSOLE, Settings
from tests.gateway import scripted_searcher
from tests.gateway.listing_searcher import ListingService

NOBODY = "127.0.0.1:1"


def _settings(
    searcher: str = NOBODY,
    port: int = 0,
    strategy: str = "",
    routes: Path | None = None,
    console: str = NO_CONSOLE,
    **fields: Any,
) -> Settings:
    return Settings(searcher, strategy, host="127.0.0.1", port=port, routes=routes, console=console, **fields)


async def _results(settings: Settings) -> dict[str, CheckResult]:
    """Return the results by their subject; an arm's subject is the names of snake and arm."""
    # No searcher will ever answer there: there is nothing to wait for.
    patience = 0.2 if settings.searcher == NOBODY else PATIENCE
    with patch.object(checks, "PATIENCE", patience):
        results = [result async for result in check(settings)]
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


async def test_a_gateway_that_would_work_passes(file: Path) -> None:
    """There is a result for the port, the console, the routes, the searcher and each arm."""
    file.write_text(
        '[[snakes]]\npath = "/a"\narms = [{ name = "x", strategy = "paranoid/area" }]\n'
        'shadows = [{ name = "y", strategy = "paranoid/length" }]'
    )
    async with scripted_searcher.searcher(ListingService("area", "length")) as target:
        results = await _results(_settings(target, routes=file))
    assert [subject for subject, result in results.items() if not result.passed] == []
    assert list(results) == ["port", "console", "routes", "searcher", "/a x", "/a y", "/ default"]
    assert " answers; searches: " in results["searcher"].detail
    assert "evaluators: area, length" in results["searcher"].detail
    assert "paranoid/area" in results["/a x"].detail
    assert results["console"].detail == "none, so games are not recorded"


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
    assert (
        not missing["routes"].passed
        and missing["routes"].detail == f"{file}/none: can't be read: Not a directory"
    )


async def test_the_own_console_checks_itself(tmp_path: Path) -> None:
    """The options for it reach its command, whose results are among the gateway's."""
    database = tmp_path / "new" / "games.sqlite"
    variables = {"OUTCOMES_URL": str(database), "ADMIN": "127.0.0.1:0"}
    results = await _results(_settings(console="", console_variables=variables))
    assert list(results)[:4] == ["port", "admin", "outcomes", "routes"]
    assert results["admin"].detail == "127.0.0.1, any free port"
    assert results["outcomes"].detail == f"{database} will be created"
    refused = await _results(_settings(console="", console_variables={"OUTCOMES_URL": "mysql://x"}))
    assert "mysql:// is neither a file's path nor" in refused["console"].detail
    assert not refused["console"].passed and "outcomes" not in refused


async def test_another_console_is_called() -> None:
    """Any other service is no console."""
    missing = (await _results(_settings(console=NOBODY)))["console"]
    assert missing.detail == f"{NOBODY}: UNAVAILABLE: no connection: nothing listens there"
    assert "python -m console serve" in missing.remedy
    async with scripted_searcher.searcher(ListingService("area")) as target:
        other = (await _results(_settings(console=target)))["console"]
    assert not other.passed and "UNIMPLEMENTED" in other.detail


@pytest.mark.parametrize(
    ("searcher", "remedy"),
    [(NOBODY, "Start a searcher there"), ("searcher.invalid:1", "Correct the name")],
)
async def test_a_searcher_that_does_not_answer_is_found(searcher: str, remedy: str) -> None:
    """A stopped searcher and a name without an address have different results."""
    results = await _results(_settings(searcher))
    assert not results["searcher"].passed and searcher in results["searcher"].detail
    assert remedy in results["searcher"].remedy and "/ default" not in results
