"""One request to a checked address outside whose answer is read, up to a bounded length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import httpcore

from config.outside import addresses, connecting
from config.refusals import Refusal

ANSWER_MAX_BYTES = 200_000


class OutsideAnswer(NamedTuple):
    """Answer of a server outside: its status and its body."""

    status: int
    body: bytes


class NoAnswer(Exception):
    """Server outside that gave no answer, or one that is too long; the sentence is for the log."""


async def ask(
    method: str,
    address: str,
    headers: Mapping[str, str],
    body: bytes = b"",
    *,
    networks: Sequence[str] = (),
) -> OutsideAnswer:
    """Send a request once, without redirects, and return the answer; raise NoAnswer.

    `networks` may be asked beside the public Internet. The caller bounds the time.
    """
    try:
        target = await addresses.target(address, networks)
        async with connecting.answered(method, target, headers, body) as answer:
            read = bytearray()
            async for part in answer.aiter_stream():
                read += part
                if len(read) > ANSWER_MAX_BYTES:
                    raise NoAnswer(f"{address} answered more than {ANSWER_MAX_BYTES} bytes")
            return OutsideAnswer(int(answer.status), bytes(read))
    except Refusal as refusal:
        raise NoAnswer(f"{address} may not be asked: {refusal}") from refusal
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as error:
        raise NoAnswer(f"{address}: {error or type(error).__name__}") from error
    except OSError as error:
        raise NoAnswer(f"{address}: {error.strerror or error}") from error
