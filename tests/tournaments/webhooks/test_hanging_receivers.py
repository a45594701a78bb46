"""Receivers that hang beside others and beside play, through the loop of the process."""

from __future__ import annotations

import pytest

from config.outside import posting
from tables.models import Hand
from tests.config.outside.receiver import Receiver
from tests.tables.gateway.sockets import PATIENCE_S, wait_for
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tests.tournaments.webhooks.hooks import delivering, made, receiver
from tournaments.events import outbox
from tournaments.models import Announcement, Webhook, WebhookDelivery
from tournaments.webhooks import watching

__all__ = ["receiver"]

STUCK = "/stuck?room=1"


def accepted(webhook: Webhook) -> int:
    return WebhookDelivery.objects.filter(webhook=webhook, state="accepted").count()


def test_a_receiver_that_hangs_delays_neither_another_nor_a_settlement(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The attempt that hangs ends with the test and not before, however slow the machine is.
    monkeypatch.setattr(posting, "TIMEOUT_S", 10 * PATIENCE_S)
    monkeypatch.setattr(watching, "LOOK_S", 0.05)
    receiver.hanging.add(STUCK)
    stuck = made(receiver, address=receiver.address.replace("/hooks", "/stuck"), tells_hands=True)
    sound = made(receiver, tells_hands=True)
    with delivering():
        played = PlayedHands(1)
        wait_for(lambda: STUCK in [one.path for one in receiver.received])
        # Hands are settled while the other attempt hangs; a row held by it would be waited for.
        more = PlayedHands(2)
        assert Hand.objects.filter(table=more.table, released_at__isnull=False).count() == 2
        streams = [outbox.tournament(one.tournament.pk) for one in (played, more)]
        events = Announcement.objects.filter(stream__in=streams).count()
        wait_for(lambda: accepted(sound) == events + 3)
    assert accepted(stuck) == 0
    assert [one.path for one in receiver.received].count(STUCK) == 1
