"""The command `serve`."""

import socket
from pathlib import Path

from click.testing import CliRunner

from arena.commands.main import main


def test_an_address_in_use_is_a_usage_error(tmp_path: Path) -> None:
    """The exit code is the one of services, and one line has the reason."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        ended = CliRunner().invoke(main, ["serve", str(tmp_path), "--listen", address])
    assert ended.exit_code == 2
    assert ended.output.endswith(
        f"Error: Invalid value for '--listen': can't listen on {address}: address already in use\n"
    )
