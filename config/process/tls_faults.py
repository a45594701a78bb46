"""Faults of TLS behind failed connections: waiting never makes a refused certificate right."""

from __future__ import annotations

import ssl

_OF_POSTGRES = ("certificate", "server does not support SSL", "sslmode")
"""Words of libpq for a refused certificate, a missing authority, a server without TLS, and a wrong
`sslmode`.
"""


def of_redis(failed: BaseException) -> str:
    """Return the fault of TLS behind a failed connection to Redis, for the operator, or "".

    A Valkey without TLS never answers a client with it, and looks like one that is away.
    """
    found: BaseException | None = failed
    while found is not None:
        if isinstance(found, ssl.SSLCertVerificationError):
            return f"the certificate of the server is refused: {found.verify_message}"
        if isinstance(found, FileNotFoundError):
            return f"the file of the authority (ssl_ca_certs) is missing: {found}"
        found = found.__cause__ or found.__context__
    return ""


def of_postgres(failed: Exception) -> str:
    """Return the fault of TLS behind a failed connection to PostgreSQL, for the operator, or ""."""
    said = str(failed).strip()
    if any(words in said for words in _OF_POSTGRES):
        return f"the connection over TLS is refused: {said}"
    return ""
