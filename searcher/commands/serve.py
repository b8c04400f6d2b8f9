"""`python -m searcher serve`: serves searches over gRPC."""

import os
from pathlib import Path
from typing import Any

import click

from battlesnake_search.common.cli import examples, log_options
from searcher.commands.only import only_option, strategies
from searcher.commands.port import port_options, port_settings
from searcher.commands.weights import use_weights, weights_option
from searcher.serving.address import default_address


@click.command(
    epilog=examples(
        "python -m searcher serve --listen 127.0.0.1:50051",
        "python -m searcher serve --listen unix:/run/searcher.sock --workers 2 --only paranoid/area",
    )
)
@click.option(
    "--listen",
    default=default_address,
    show_default="0.0.0.0:PORT if the environment has PORT, else 127.0.0.1:50051",
    envvar="SEARCHER_LISTEN",
    show_envvar=True,
    help="Address to listen on: host:port or unix:PATH.",
)
@click.option(
    "--workers", type=click.IntRange(1), show_default="one for each core", help="Searches that run at once."
)
@only_option
@weights_option
@port_options
@log_options
def serve(
    listen: str,
    workers: int | None,
    only: tuple[str, ...],
    weights_files: tuple[Path, ...],
    log_level: str,
    log_format: str,
    **port: Any,
) -> None:
    """Serve searches over gRPC until SIGTERM."""
    # NumPy's linear algebra, which is hardly used, would start a thread for each core.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from battlesnake_search.common import logs
    from searcher.serving import compile_log

    logs.configure(log_format, log_level, compile_log.LAYOUTS)
    use_weights(weights_files)
    from searcher.serving.server import serve as serve_until_signal

    serve_until_signal(listen, workers, strategies(only), port_settings(**port))
