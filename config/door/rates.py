"""Room-wide rates: a burst of tries, then so many a minute."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import structlog
from redis.exceptions import RedisError

from config import redis
from config.redis.scripts import ScriptCall, run

log = structlog.get_logger(__name__)

PREFIX = "rate"
"""Prefix of the Redis key of every rate; each test has its own."""

LOCAL_SUBJECTS_MAX = 10_000
"""Subjects counted in this process while Redis is away, and refused ones; the oldest go."""

_SCRIPT = Path(__file__).with_name("rate.lua").read_text()
_US_PER_MIN = 60_000_000

_lock = threading.Lock()
_local: OrderedDict[str, float] = OrderedDict()
_refused: OrderedDict[tuple[str, int, float], float] = OrderedDict()


@dataclass(frozen=True, slots=True)
class Rate:
    """Named limit of tries: `burst` at once, earned back at `per_minute`.

    Two rates of one name share their counts; `name` is lower-case letters and dashes.
    """

    name: str
    burst: int
    per_minute: float

    def take(self, subject: str) -> float:
        """Spend one try of `subject`; return 0.0, or the seconds until a try is free.

        A refused try costs nothing. The call makes one short trip to the room's Redis, and none
        while the subject is refused; while Redis does not answer this process counts alone.
        """
        assert self.burst >= 1 and self.per_minute > 0, self
        if wait_s := self.refused_s(subject):
            return wait_s
        wait_s = self._take(self._key(subject))
        if wait_s:
            self._remember(subject, time.monotonic() + wait_s)
        return wait_s

    def refused_s(self, subject: str) -> float:
        """Return for how many seconds this process knows `subject` to be refused, without a trip.

        The answer is exact: other subjects' tries never make a try come earlier.
        """
        until_s = _refused.get((self._key(subject), self.burst, self.per_minute), 0.0)
        return max(0.0, until_s - time.monotonic())

    def _key(self, subject: str) -> str:
        return f"{PREFIX}:{self.name}:{sha256(subject.encode()).hexdigest()[:32]}"

    def _remember(self, subject: str, until_s: float) -> None:
        with _lock:
            _refused[self._key(subject), self.burst, self.per_minute] = until_s
            while len(_refused) > LOCAL_SUBJECTS_MAX:
                _refused.popitem(last=False)

    def _take(self, key: str) -> float:
        interval_us = math.ceil(_US_PER_MIN / self.per_minute)
        try:
            call = ScriptCall(_SCRIPT, [key], [interval_us, self.burst])
            wait_us: int = run(redis.room_at_once(), call)
        except (RedisError, OSError) as error:
            log.warning("rate counted in this process alone", rate=self.name, error=str(error))
            return _take_locally(key, interval_us / 1e6, self.burst, time.monotonic())
        return wait_us / 1e6


def _take_locally(key: str, interval_s: float, burst: int, now_s: float) -> float:
    with _lock:
        earned_at_s = max(_local.pop(key, now_s), now_s) + interval_s
        wait_s = earned_at_s - burst * interval_s - now_s
        _local[key] = earned_at_s - interval_s if wait_s > 0 else earned_at_s
        while len(_local) > LOCAL_SUBJECTS_MAX:
            _local.popitem(last=False)
    return max(0.0, wait_s)
