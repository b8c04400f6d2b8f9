"""Structured logs on standard error: for people, or as JSON for machines."""

import logging
import os
import sys

import structlog
from structlog.typing import Processor

FORMATS = ("console", "json")


def configure(form: str) -> None:
    """Configure logs in one of FORMATS, for our loggers and for libraries that use the standard library's.

    Call it before gRPC is imported.
    """
    # gRPC's core has its own log format and by default logs every searcher that disconnects.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer = _renderers(form)
    structlog.configure(
        processors=[*shared, *renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


def _renderers(form: str) -> list[Processor]:
    if form == "console":
        return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
