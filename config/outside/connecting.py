"""Connections to checked addresses: one request over one connection that goes nowhere else."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpcore

from config.outside import addresses
from config.outside.addresses import Target


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


@asynccontextmanager
async def answered(
    method: str, target: Target, headers: Mapping[str, str], body: bytes = b""
) -> AsyncIterator[httpcore.Response]:
    """Send a request once and yield its answer, whose body the caller reads or leaves."""
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
            method, url, headers=[("host", host), *headers.items()], content=body
        ) as answer,
    ):
        yield answer
