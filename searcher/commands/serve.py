"""`python -m searcher serve`: serves searches over gRPC, with limits on the callers."""

import os
from pathlib import Path

import click

from battlesnake_search.common import logs
from battlesnake_search.common.cli import examples, log_options, variable_option
from battlesnake_search.common.types import OptionValue
from battlesnake_search.serving.address import default_address
from battlesnake_search.serving.options import port_options, port_settings
from searcher.commands.common import (
    ahead_option,
    only_option,
    strategies,
    strategies_ahead,
    use_weights,
    weights_option,
)
from searcher.serving.program import DEFAULT_PORT, SEARCHER


@click.command(
    epilog=examples(
        "python -m searcher serve --listen 127.0.0.1:50051",
        "python -m searcher serve --listen unix:/run/searcher.sock --workers 2 --only paranoid/area",
    )
)
@variable_option(
    "--listen",
    default=lambda: default_address(DEFAULT_PORT),
    show_default=f"0.0.0.0:PORT if the environment has PORT, else 127.0.0.1:{DEFAULT_PORT}",
    envvar="SEARCHER_LISTEN",
    help="Address to listen on: host:port or unix:PATH.",
)
@click.option(
    "--workers", type=click.IntRange(1), show_default="one for each core", help="Searches that run at once."
)
@only_option
@ahead_option
@weights_option
@port_options(
    SEARCHER,
    "With --tokens, open reflection or the list of strategies to all callers. Repeat for both.",
)
@log_options
def serve(
    listen: str,
    workers: int | None,
    only: tuple[str, ...],
    ahead: tuple[str, ...],
    weights_files: tuple[Path, ...],
    log_level: str,
    log_format: str,
    **port: OptionValue,
) -> None:
    """Serve searches over gRPC until SIGTERM."""
    # NumPy's linear algebra is hardly used, but would start a thread for each core.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from searcher.serving import server

    logs.configure(log_format, log_level, server.LAYOUTS)
    use_weights(weights_files)
    server.serve(listen, workers, strategies(only), port_settings(**port), strategies_ahead(ahead))
