"""The command line: python -m gateway play."""

import time
import webbrowser
from contextlib import closing
from socket import create_connection
from threading import Thread

import click

from battlesnake_search.common.cli import examples, log_options
from gateway.commands import options
from gateway.settings import Settings

_PATIENCE = 30.0
"""Seconds after which a gateway that does not listen has failed to start."""


@click.command(
    epilog=examples(
        "python -m gateway play",
        "python -m gateway play --name Hydra --color 2f6f4e --strategy paranoid/area",
    )
)
@options.serving
@log_options
@click.option(
    "--browser/--no-browser", default=True, help="Open the console in a browser as soon as it is there."
)
def play(context: click.Context, settings: Settings, log_level: str, log_format: str, browser: bool) -> None:
    """Serve a snake, and show its games in a browser: a gateway with a searcher of its own.

    On SIGTERM or Ctrl-C, answer the requests in progress and exit.
    """
    from gateway.commands.start import start

    if browser and settings.admin and settings.admin.port:
        Thread(target=_show, args=(settings.admin.host, settings.admin.port), daemon=True).start()
    start(settings, log_level, log_format)


def _show(host: str, port: int) -> None:
    """Open the console when its port answers. Without a browser, users find its address in the log."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        try:
            with closing(create_connection((host, port), timeout=1.0)):
                webbrowser.open(f"http://{host}:{port}/")
            return
        except OSError:
            time.sleep(0.2)
