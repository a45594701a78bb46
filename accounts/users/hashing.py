"""Password hashing with bounded threads, memory and priority, so that play keeps the cores."""

from __future__ import annotations

import fcntl
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth import hashers

from config import environment, limits

Hashed = TypeVar("Hashed")

_NICE_MAX = 19

_lock = threading.Lock()
_threads: ThreadPoolExecutor | None = None
_here = threading.local()


class _Bounded(hashers.BasePasswordHasher):
    """Hasher that works only in the few hashing threads."""

    def encode(self, password: str, salt: str, *more: Any) -> str:
        """Return the encoded hash of a password."""
        return _bounded(lambda: super(_Bounded, self).encode(password, salt, *more))

    def verify(self, password: str, encoded: str) -> bool:
        """Return whether a password matches its encoded hash."""
        return bool(_bounded(lambda: super(_Bounded, self).verify(password, encoded)))


class Argon2(_Bounded, hashers.Argon2PasswordHasher):
    """Argon2id with 19 MiB, the first of OWASP's equal settings; older hashes still verify."""

    time_cost = 2
    memory_cost = limits.PASSWORD_HASH_KIB
    parallelism = 1


class PBKDF2(_Bounded, hashers.PBKDF2PasswordHasher):
    """PBKDF2, to verify hashes from before Argon2."""


def _bounded(work: Callable[[], Hashed]) -> Hashed:
    """Run `work` in a hashing thread; run it directly when called from one, as by verify."""
    if getattr(_here, "hashes", False):
        return work()
    return _pool().submit(_in_turn, work).result()


def _in_turn(work: Callable[[], Hashed]) -> Hashed:
    """Run `work` while no other process of this machine hashes under this thread's number."""
    held: int | None = _here.held
    if held is None:
        return work()
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        return work()
    finally:
        fcntl.flock(held, fcntl.LOCK_UN)


def _pool() -> ThreadPoolExecutor:
    global _threads
    with _lock:
        if _threads is None:
            count = settings.PASSWORD_HASHES_AT_ONCE
            numbers = iter(range(count))
            _threads = ThreadPoolExecutor(
                count, "hashing", initializer=lambda: _begin(next(numbers))
            )
        return _threads


def _begin(number: int) -> None:
    """Make this thread hashing thread `number` of the machine, below play in priority."""
    _here.hashes, _here.held = True, None
    with suppress(OSError):  # without a writable folder each process counts for itself
        path = environment.local() / f"hashing.{number}.lock"
        _here.held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    if sys.platform == "linux":  # other systems have no priority per thread
        nice = os.getpriority(os.PRIO_PROCESS, 0) + limits.PASSWORD_HASH_NICE
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), min(nice, _NICE_MAX))


def _forget() -> None:
    global _threads, _lock
    _threads, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget)
