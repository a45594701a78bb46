"""One POST to a checked address outside: without redirects, within ten seconds, body unread."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import httpcore

from config.outside import addresses
from config.outside.addresses import Resolve, Target
from config.refusals import Refusal

TIMEOUT_S = 10.0
"""Time for name, connection, request and the first line of the answer together, in seconds."""


class PostOutcome(NamedTuple):
    """PostOutcome of a request: status of the answer (0 without one), and why it failed, if it did.

    `is_refused` marks an address that may not be called at all.
    """

    status: int
    error: str = ""
    is_refused: bool = False


class PinnedBackend(httpcore.AsyncNetworkBackend):
    """Network that connects to the checked addresses of a target, and to no other."""

    def __init__(self, hosts: Iterable[str]) -> None:
        self._hosts = tuple(hosts)
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first checked address that answers; `host` is only the name."""
        failure: Exception = httpcore.ConnectError(f"{host} has no address")
        for address in self._hosts:
            try:
                return await self._network.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure


async def post(
    address: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    networks: Sequence[str] = (),
    resolve: Resolve | None = None,
) -> PostOutcome:
    """Send a body once; `networks` may be called beside the public Internet."""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            target = await addresses.target(address, networks, resolve)
            status = await _post(target, headers, body)
    except TimeoutError:
        return PostOutcome(0, f"no answer within {TIMEOUT_S:.0f} seconds")
    except Refusal as refusal:
        return PostOutcome(0, str(refusal), is_refused=True)
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as error:
        return PostOutcome(0, str(error) or type(error).__name__)
    except OSError as error:
        return PostOutcome(0, error.strerror or str(error))
    if 300 <= status < 400:
        return PostOutcome(status, f"answered {status}: redirects are not followed")
    return PostOutcome(status, "" if 200 <= status < 300 else f"answered {status}")


async def _post(target: Target, headers: Mapping[str, str], body: bytes) -> int:
    url = httpcore.URL(
        scheme=b"https" if target.secure else b"http",
        host=target.host.encode(),
        port=target.port,
        target=target.path.encode(),
    )
    # A name in figures has no brackets in the connection, but in the header.
    shown = f"[{target.host}]" if ":" in target.host else target.host
    usual = addresses.PORTS["https" if target.secure else "http"]
    host = shown if target.port == usual else f"{shown}:{target.port}"
    async with (
        httpcore.AsyncConnectionPool(
            ssl_context=ssl.create_default_context() if target.secure else None,
            network_backend=PinnedBackend(target.hosts),
        ) as pool,
        pool.stream(
            "POST", url, headers=[("host", host), *headers.items()], content=body
        ) as answer,
    ):
        return int(answer.status)
