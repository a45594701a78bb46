"""One attempt of a delivery: a POST to a checked address, without redirects, within ten seconds."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable
from typing import Any

import httpcore

from config.refusals import Refusal
from tournaments.models import Webhook, WebhookDelivery
from tournaments.webhooks import addresses, signing
from tournaments.webhooks.addresses import Resolve, Target

TIMEOUT_S = 10.0
"""Time for name, connection, request and the first line of the answer together, in seconds."""
AGENT = "poker-room-webhooks/1"


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


async def attempt(
    webhook: Webhook, delivery: WebhookDelivery, at_s: int, resolve: Resolve | None = None
) -> tuple[int, str]:
    """Send a delivery once; return the status of the answer and, when it failed, the reason.

    The status is 0 without an answer. The answer's body is not read.
    """
    body = delivery.body.encode()
    headers = {"content-type": "application/json", "user-agent": AGENT}
    if webhook.form == Webhook.Form.JSON:
        message = f"{webhook.pk}-{delivery.stream}-{delivery.seq}"
        headers |= signing.headers(webhook.secret, message, at_s, body)
    try:
        async with asyncio.timeout(TIMEOUT_S):
            target = await addresses.target(webhook.address, resolve)
            status = await _post(target, headers, body)
    except TimeoutError:
        return 0, f"no answer within {TIMEOUT_S:.0f} seconds"
    except Refusal as refusal:
        return 0, str(refusal)
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as error:
        return 0, str(error) or type(error).__name__
    except OSError as error:
        return 0, error.strerror or str(error)
    if 300 <= status < 400:
        return status, f"answered {status}: redirects are not followed"
    return status, "" if 200 <= status < 300 else f"answered {status}"


async def _post(target: Target, headers: dict[str, str], body: bytes) -> int:
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
