"""Fixtures of notification tests: a receiver on this machine, and a kind of the test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from redis import Redis

from tests.config.outside.receiver import Receiver, receiving

if TYPE_CHECKING:
    from tests.accounts.notifications.tested_kind import TestedKind


@pytest.fixture
def receiver(transactional_db: None, room: Redis, settings: Any) -> Iterator[Receiver]:
    settings.PUSH_NETWORKS = ["127.0.0.0/8"]
    with receiving() as listening:
        yield listening


@pytest.fixture
def tested(monkeypatch: pytest.MonkeyPatch) -> TestedKind:
    from accounts.notifications import kinds
    from tests.accounts.notifications.tested_kind import TestedKind

    made = TestedKind()
    monkeypatch.setattr(kinds, "_kinds", {"tested": made.kind})
    return made
