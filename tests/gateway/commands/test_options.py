"""The options that say what a gateway serves, on the command line and in the environment."""

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from yarl import URL

from tests.gateway import scripted_searcher
from tests.gateway.gateway_process import PATIENCE, fails, output, serving
from tests.gateway.scripted_searcher import ScriptedService
from tests.support.services import port_before_a_free_one

LOOKS = {"name": "Hydra", "color": "#12ab34", "head": "safe", "tail": "bolt", "author": "me"}
VARIABLES = {f"SNAKE_{field.upper()}": value for field, value in LOOKS.items()}


async def _index(path: str = "/", **environment: str) -> dict[str, str]:
    """Return the appearance of a snake of a gateway with these environment variables."""
    async with (
        scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once)) as target,
        serving(target, **environment) as (_, client),
        client.get(path) as answer,
    ):
        appearance: dict[str, str] = await answer.json()
        return appearance


async def test_the_snake_looks_as_the_variables_say() -> None:
    """Without a routes file the name and the appearance come from the environment; a colour needs no #."""
    assert (await _index(**VARIABLES)).items() >= LOOKS.items()
    assert (await _index(SNAKE_COLOR="12ab34"))["color"] == "#12ab34"


async def test_the_looks_are_those_of_the_snake_at_the_root(tmp_path: Path) -> None:
    """The options give looks to the snake at /, unless the routes file has one there."""
    file = tmp_path / "routes.toml"
    file.write_text('[[snakes]]\npath = "/a"\narms = [{ name = "x" }]')
    variables = VARIABLES | {"ROUTES_FILE": str(file)}
    assert (await _index(**variables)).items() >= LOOKS.items()
    assert (await _index("/a", **variables))["author"] != LOOKS["author"]
    file.write_text('[[snakes]]\npath = "/"\nname = "Root"\narms = [{ name = "x" }]')
    assert (await _index(**variables))["name"] == "Root"


@pytest.mark.parametrize("color", ["red", "#12ab3", "#12ab345", "##12ab3"])
async def test_an_invalid_colour_is_named(color: str) -> None:
    """The error shows a valid colour, with the quotes that # needs in a shell."""
    status, error = await fails("--color", color)
    assert status == 2 and "--color" in error and "like 2f6f4e or '#2f6f4e'" in error


@pytest.mark.parametrize(
    ("option", "value", "error"),
    [
        ("--games", "0", "'0' is neither a number of games above 0 nor none"),
        ("--games", "many", "'many' is neither a number of games above 0 nor none"),
        ("--games-days", "0", "0.0 is not in the range x>0"),
        ("--games-megabytes", "0", "0 is not in the range x>=1"),
        ("--admin", "8001", "'8001' is not an address like 127.0.0.1:8001, nor none"),
        ("--admin", "127.0.0.1:8000", "'127.0.0.1:8000' has the port of the snake"),
        ("--max-connections", "0", "0 is not in the range x>=1"),
        ("--max-connections-per-address", "0", "0 is not in the range x>=1"),
        ("--request-seconds", "0", "0.0 is not in the range x>0"),
        ("--idle-seconds", "-1", "-1.0 is not in the range x>0"),
        ("--max-timeout", "0", "0 is not in the range x>=1"),
        ("--snake-token", "short", "must be 16 to 128 of A-Z, a-z, 0-9, - and _"),
        ("--admin-tokens", "/nowhere/tokens.toml", "/nowhere/tokens.toml: No such file or directory"),
    ],
)
async def test_an_invalid_bound_or_address_is_named(option: str, value: str, error: str) -> None:
    """The error names the option and the valid values."""
    status, printed = await fails(option, value)
    assert status == 2 and option in printed and error in " ".join(printed.split())


async def test_the_console_is_at_the_next_port() -> None:
    """Without the option the console is on the loopback address, and a line at the start tells where."""
    async with (
        scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once)) as target,
        serving(target, port=str(port_before_a_free_one()), ADMIN="", LOG_FORMAT="json") as (process, client),
    ):
        assert client._base_url is not None and client._base_url.port is not None
        console = client._base_url.with_port(client._base_url.port + 1)
        overview = await _overview(client, console)
        assert overview["snakes"][0]["url"] == f"{client._base_url}/"
        process.terminate()
        _, log = await process.communicate()
    assert f"the console is at {console}" in log.decode()


async def _overview(client: aiohttp.ClientSession, console: URL) -> Any:
    """Return what the console shows, as soon as it is served: the snake may be ready before."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                async with client.get(console / "api/overview") as answer:
                    return await answer.json()
            except aiohttp.ClientConnectionError:
                await asyncio.sleep(0.05)


async def test_the_help_shows_each_default_once() -> None:
    """No default is empty or shown twice, and each option has its variable."""
    for command in ((), ("check",), ("experiments",), ("games", "list")):
        shown = " ".join((await output(*command, "--help")).split())
        assert 'default: ""' not in shown and "default: ;" not in shown
        assert all(option.count("default: ") <= 1 for option in shown.split(" --"))
    shown = await output("--help")
    assert all(variable in shown for variable in VARIABLES)


async def test_a_folder_of_matches_needs_the_arena(tmp_path: Path) -> None:
    """The gateway's container has no arena; the error names what is missing, and a folder that is missing."""
    hidden = "import importlib.util as u; u.find_spec = lambda name, *_: None;"
    command = ("-c", f"{hidden} from gateway.commands.main import main; main()")
    status, error = await fails("--arena", str(tmp_path), command=command, OUTCOMES_URL="none")
    assert status == 2 and "--arena" in error and "battlesnake-search[arena]" in error
    status, error = await fails("--arena", str(tmp_path / "missing"))
    assert status == 2 and "does not exist" in error


@pytest.mark.parametrize(
    "arguments", [("--admin", "0.0.0.0:8001"), ("--admin", ":8001"), ("--public-metrics",)]
)
@pytest.mark.parametrize("command", [(), ("check",)], ids=["serve", "check"])
async def test_the_admin_side_needs_tokens_where_others_reach_it(
    command: tuple[str, ...], arguments: tuple[str, ...]
) -> None:
    """The error names the option and how to make a file; the gateway does not start."""
    status, error = await fails(*command, *arguments, ADMIN_TOKENS="", PUBLIC_METRICS="")
    assert status == 2 and arguments[0] in error and "Traceback" not in error
    printed = " ".join(error.split())
    assert "--admin-tokens or ADMIN_TOKENS" in printed and "python -m gateway token NAME >> FILE" in printed


async def test_a_file_without_tokens_is_named(tmp_path: Path) -> None:
    """An invalid file is an error with its line and field."""
    file = tmp_path / "tokens.toml"
    file.write_text('[[tokens]]\nname = "ann"\ndigest = "secret"\n')
    status, error = await fails("--admin-tokens", str(file))
    assert status == 2 and "line 3: tokens[0].digest" in error
