"""Limits of one client's messages: slow down first, then cut off."""

from __future__ import annotations

from config import limits


class Bucket:
    """Token bucket with a steady refill up to a burst; each message takes one token."""

    def __init__(self, *, per_s: int, burst: int, now_ms: int) -> None:
        self._per_s = per_s
        self._burst = burst
        self._tokens = float(burst)
        self._at_ms = now_ms

    def take(self, now_ms: int) -> bool:
        """Take a token; False when there is none."""
        refill = (now_ms - self._at_ms) * self._per_s / 1_000
        self._tokens = min(float(self._burst), self._tokens + refill)
        self._at_ms = now_ms
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Conduct:
    """Record of one socket: its rate, its overruns and its unreadable messages."""

    def __init__(self, now_ms: int) -> None:
        self._bucket = Bucket(
            per_s=limits.CLIENT_MESSAGES_PER_S_MAX,
            burst=limits.CLIENT_MESSAGES_BURST_MAX,
            now_ms=now_ms,
        )
        self._overruns = 0
        self._faults = 0

    def admits(self, shared: Bucket | None, now_ms: int) -> bool:
        """Return whether a message may be read; `shared` is the bucket of the user or address."""
        fine = self._bucket.take(now_ms) and (shared is None or shared.take(now_ms))
        if not fine:
            self._overruns += 1
        return fine

    def fault(self) -> None:
        """Note a message that could not be understood."""
        self._faults += 1

    @property
    def intolerable(self) -> bool:
        """True once the socket must be cut off."""
        return (
            self._overruns > limits.CLIENT_OVERRUNS_MAX or self._faults > limits.CLIENT_FAULTS_MAX
        )


def address_bucket(now_ms: int) -> Bucket:
    """Return the bucket that all strangers' sockets of one address share in a process."""
    return Bucket(
        per_s=limits.ADDRESS_MESSAGES_PER_S_MAX,
        burst=limits.ADDRESS_MESSAGES_BURST_MAX,
        now_ms=now_ms,
    )


def user_bucket(now_ms: int) -> Bucket:
    """Return the bucket that all sockets of one user share in a process."""
    return Bucket(
        per_s=limits.USER_MESSAGES_PER_S_MAX,
        burst=limits.USER_MESSAGES_BURST_MAX,
        now_ms=now_ms,
    )
