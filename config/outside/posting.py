"""One POST to a checked address outside: without redirects, within ten seconds, body unread."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import httpcore

from config.outside import addresses, connecting
from config.outside.addresses import Resolve
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
            async with connecting.answered("POST", target, headers, body) as answer:
                status = int(answer.status)
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
