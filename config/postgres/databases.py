"""Settings of Django's database from the URL of a PostgreSQL server, or of several."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, unquote

from psycopg import ProgrammingError
from psycopg.conninfo import make_conninfo

from config import limits
from config.environment import split_url

PORT = "5432"


def parse(url: str, *, name: str, kept_s: int, pooled: bool) -> dict[str, Any]:
    """Return the settings for postgresql://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?OPTIONS.

    Of several hosts each connection takes the first one that accepts writes, so that play goes on
    at a standby that was promoted. `name` is shown in pg_stat_activity, connections are kept for
    `kept_s` seconds. With `pooled` nothing is set in the session, for a pooler that lends a server
    connection for one transaction. Raises ValueError with a sentence for the operator.
    """
    parts = split_url(url)
    if parts.scheme not in ("postgresql", "postgres"):
        raise ValueError(f"begins with {parts.scheme or 'nothing'}://, not postgresql://")
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    addresses = [_host_and_port(host) for host in hosts.split(",")]
    asked = dict(parse_qsl(parts.query))
    _verify_options(asked)
    options = {
        # A server that only reads would fail each write much later and less clearly.
        "target_session_attrs": "read-write",
        **asked,  # sslmode and its like
        "connect_timeout": limits.DATABASE_CONNECT_TIMEOUT_S,
        # A cut network reports nothing: without these a worker waits for its answer, and its
        # session holds its locks long after the network is back.
        "tcp_user_timeout": limits.DATABASE_UNANSWERED_MS,
        "keepalives_idle": limits.DATABASE_SILENT_S,
        "keepalives_interval": limits.DATABASE_ASK_EVERY_S,
        "keepalives_count": limits.DATABASE_ASKS_MAX,
        "application_name": name,
    }
    if not pooled:
        options["options"] = " ".join(f"-c {key}={value}" for key, value in SESSION.items())
    return {
        "ENGINE": "config.postgres.engine",
        "HOST": ",".join(host for host, _ in addresses),
        "PORT": ",".join(port for _, port in addresses),
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(user),
        "PASSWORD": unquote(password),
        "CONN_MAX_AGE": kept_s,
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": pooled,
        "OPTIONS": options,
    }


SESSION = {
    "lock_timeout": limits.DATABASE_LOCK_TIMEOUT_MS,
    "statement_timeout": limits.DATABASE_STATEMENT_TIMEOUT_MS,
    "idle_in_transaction_session_timeout": limits.DATABASE_IDLE_TRANSACTION_MS,
    "tcp_user_timeout": limits.DATABASE_UNANSWERED_MS,
    "tcp_keepalives_idle": limits.DATABASE_SILENT_S,
    "tcp_keepalives_interval": limits.DATABASE_ASK_EVERY_S,
    "tcp_keepalives_count": limits.DATABASE_ASKS_MAX,
    # Queries here read few rows: starting processes beside them takes longer than any of them.
    "max_parallel_workers_per_gather": 0,
}
"""Limits of a session in PostgreSQL; behind a pooler they are set for the role."""


OF_DJANGO = ("assume_role", "isolation_level", "pool", "server_side_binding")
"""Options that Django takes out before libpq sees them."""


def _verify_options(asked: dict[str, Any]) -> None:
    """Raise ValueError for an option that nobody knows: no connection would ever be made."""
    try:
        make_conninfo(**{name: value for name, value in asked.items() if name not in OF_DJANGO})
    except ProgrammingError as wrong:
        raise ValueError(f"has an option that libpq does not know: {wrong}".strip()) from wrong


def _host_and_port(text: str) -> tuple[str, str]:
    """Return host and port of "HOST:PORT" or "HOST"; IPv6 in brackets."""
    host, colon, port = text.rpartition(":")
    if not colon or port.endswith("]"):
        host, port = text, PORT
    if not port.isdecimal():
        raise ValueError(f"has port {port!r}, which is no number")
    return unquote(host.strip("[]")), port
