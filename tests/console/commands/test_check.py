"""The command line: python -m console check."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from battlesnake_search.ports.admin_address import ADMIN_REMEDY
from battlesnake_search.record.options import PUBLIC_REMEDY
from console.commands.main import main


def _check(*options: str) -> dict[str, dict[str, Any]]:
    """Return the results by their subjects."""
    command = ("check", "--listen", "127.0.0.1:0", "--json", *options)
    result = CliRunner().invoke(main, command, env={"ADMIN": None, "ADMIN_TOKENS": None})
    found = json.loads(result.stdout)
    assert result.exit_code == (0 if found["passed"] else 1)
    return {each["subject"]: each for each in found["checks"]}


def test_a_console_that_would_work_passes(tmp_path: Path) -> None:
    """There is a line for each address and the database, which is not created."""
    database = tmp_path / "new" / "games.sqlite"
    addresses = ("--listen", f"unix:{tmp_path}/s", "--admin", "127.0.0.1:0")
    result = CliRunner().invoke(main, ["check", *addresses, "--outcomes", str(database)])
    assert result.exit_code == 0 and not list(tmp_path.iterdir())
    assert result.stdout.splitlines() == [
        f"ok    listen    unix:{tmp_path}/s",
        "ok    admin     127.0.0.1, any free port",
        f"ok    outcomes  {database} will be created",
        "everything would work",
    ]


def test_addresses_in_use_are_found() -> None:
    """A port in use has the remedy of its own option. A free port takes the place of the default one."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        address = f"127.0.0.1:{port}"
        given = ("--admin", address, "--listen", address, "--public", address, "--outcomes", "none")
        results = _check(*given)
    assert results["public pages"]["remedy"] == PUBLIC_REMEDY
    reason = f"can't listen on 127.0.0.1, port {port}: address already in use"
    assert (results["admin"]["detail"], results["admin"]["remedy"]) == (reason, ADMIN_REMEDY)
    listen = results["listen"]
    assert "Address already in use" in listen["detail"] and "CONSOLE_LISTEN" in listen["remedy"]
    assert results["outcomes"]["passed"] and "not recorded" in results["outcomes"]["detail"]


@pytest.mark.parametrize("address", ["50061", "unix:/nowhere/socket"])
def test_a_faulty_address_for_gateways_is_found(address: str) -> None:
    """It is neither a host with a port nor a socket in a folder."""
    assert not _check("--listen", address, "--outcomes", "none")["listen"]["passed"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("text", "its file is not an SQLite database"),
        ("text/file", "can't be created: {folder}/text is not a folder that you may write to"),
    ],
)
def test_a_database_that_does_not_open_is_found(tmp_path: Path, name: str, reason: str) -> None:
    """The result has the reason in words."""
    (tmp_path / "text").write_text("no database, but longer than nothing" * 10)
    outcomes = _check("--outcomes", str(tmp_path / name))["outcomes"]
    assert not outcomes["passed"] and reason.format(folder=tmp_path) in outcomes["detail"]
