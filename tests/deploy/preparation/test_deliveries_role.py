"""Work of the process `deliveries` under its own role of the database."""

from __future__ import annotations

import json
from collections.abc import Iterator

import psycopg
import pytest
from django.utils import timezone
from psycopg import errors
from pytest_django.fixtures import Settings

from accounts.mail import outgoing
from accounts.models import Mail, User
from accounts.notifications import delivering, digest, kinds, preferences, raising
from accounts.notifications.models import NotificationDelivery
from accounts.users import bots
from tests.accounts.mail.addresses import confirmed
from tests.accounts.notifications.push_browser import PushBrowser, push_due
from tests.accounts.notifications.tested_kind import TestedKind
from tests.config.outside.receiver import Receiver
from tests.deploy.preparation import tried_roles
from tests.tournaments.cast import open_offer
from tests.tournaments.conftest import house
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tests.tournaments.webhooks.hooks import made, receiver, tell
from tournaments.entries import registration
from tournaments.models import WebhookDelivery
from tournaments.webhooks import pruning

__all__ = ["house", "receiver"]


@pytest.fixture
def role(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Address of the database for the role of deliveries."""
    with tried_roles.made(monkeypatch) as addresses:
        yield addresses["deliveries"]


def test_the_role_of_deliveries_raises_pushes_and_mails_notifications(
    role: str, receiver: Receiver, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PUSH_NETWORKS = ["127.0.0.0/8"]
    settings.MAIL_URL = "file:///unused"
    tested = TestedKind()
    monkeypatch.setattr(kinds, "_kinds", {"tested": tested.kind})
    ann = User.objects.create_user("Ann", "a long password")
    confirmed(ann, "ann@example.org")
    PushBrowser().subscribe(ann, receiver)
    preferences.save_choices(ann, [("tested", "push"), ("tested", "mail")])
    with tried_roles.logged_in(role):
        assert tested.tell() == 1 and push_due(ann) == [1]
        assert digest.mail_due(timezone.now()) == 1
        assert delivering.prune() == 0 and outgoing.prune() == 0
    assert len(receiver.received) == 1
    assert set(NotificationDelivery.objects.values_list("state", flat=True)) == {"sent"}
    assert Mail.objects.get().address == "ann@example.org"
    assert not raising.raise_kind(tested.kind, timezone.now())


def test_the_role_of_deliveries_tells_webhooks(role: str, receiver: Receiver) -> None:
    webhook = made(receiver, tells_hands=True)
    registration.register(bots.create(1)[0], open_offer())
    PlayedHands(1)
    with tried_roles.logged_in(role):
        tell(webhook)
        assert pruning.prune() == 0
    types = [json.loads(one.body)["type"] for one in receiver.received]
    assert {"player_registered", "hand_finished"} <= set(types)
    assert not WebhookDelivery.objects.exclude(state="accepted").exists()


def test_the_role_of_deliveries_changes_nothing_else_of_a_user(role: str) -> None:
    with psycopg.connect(role, autocommit=True) as deliveries:
        for column in ("password", "name", "is_staff", "is_active", "email"):
            with pytest.raises(errors.InsufficientPrivilege):
                deliveries.execute(f"UPDATE accounts_user SET {column} = {column}")
        with pytest.raises(errors.InsufficientPrivilege):
            deliveries.execute("DELETE FROM accounts_user")
