"""Log formats: structlog's JSON for machines, short text for a terminal."""

from __future__ import annotations

import logging
import sys

import structlog

LEVELS = ("info", "debug", "warning", "warn", "error", "critical", "fatal", "notset")
"""Words for the least level that is logged; the first one is the default."""

_SHARED: list[structlog.types.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


def formatter() -> logging.Formatter:
    """Return the formatter of every handler; callers never log passwords or cards."""
    renderer: structlog.types.Processor = structlog.processors.JSONRenderer()
    if sys.stderr.isatty():
        renderer = structlog.dev.ConsoleRenderer()
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_SHARED,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
    )


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """Return a logger that takes facts as keywords: `log.info("settled", table=12, hand=4)`."""
    return structlog.stdlib.get_logger(name)


structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_SHARED,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)
