"""Notifications on their way: raised once, pushed encrypted, repeated, given up, mailed."""

from __future__ import annotations

import asyncio
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import EmailAddress, Mail, User
from accounts.notifications import delivering, digest, endpoints, kinds, preferences, raising
from accounts.notifications.models import (
    Notification,
    NotificationDelivery,
    NotificationSettings,
    PushEndpoint,
)
from config import limits
from config.outside import posting
from tests.accounts.mail.addresses import confirmed
from tests.accounts.notifications.push_browser import PushBrowser, push_due
from tests.accounts.notifications.tested_kind import TestedKind
from tests.config.outside.receiver import Receiver

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def ann(transactional_db: None) -> User:
    return User.objects.create_user("Ann", "a long password")


@pytest.fixture
def browser(ann: User, receiver: Receiver, tested: TestedKind) -> PushBrowser:
    made = PushBrowser()
    made.subscribe(ann, receiver)
    return made


def states() -> list[str]:
    return list(NotificationDelivery.objects.order_by("pk").values_list("state", flat=True))


def test_a_notification_is_raised_once_and_read_by_the_browser_alone(
    ann: User, browser: PushBrowser, receiver: Receiver, tested: TestedKind
) -> None:
    preferences.save_settings(
        ann, time_zone="UTC", quiet_from=None, quiet_until=None, language="de"
    )
    assert (tested.tell(), tested.tell()) == (1, 0)
    assert push_due(ann) == [1] and push_due(ann) == [0]
    [sent] = receiver.received
    assert browser.read(sent.body) == {
        "title": "Du bist dran",
        "body": "text",
        "link": "/tickets/",
        "tag": "tested a",
    }
    assert b"text" not in sent.body and sent.path == "/push/one"
    assert sent.headers["content-encoding"] == "aes128gcm" and sent.headers["urgency"] == "high"
    assert 86_000 < int(sent.headers["ttl"]) <= 86_400
    assert sent.headers["authorization"].startswith("vapid t=")
    assert states() == ["sent"]


def test_nobody_is_told_what_was_turned_off(
    ann: User, browser: PushBrowser, receiver: Receiver, tested: TestedKind
) -> None:
    preferences.save_choices(ann, [])
    assert tested.tell() == 0 and push_due(ann) == [0]
    preferences.save_choices(ann, [("tested", "push")])
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert tested.tell() == 0
    assert not Notification.objects.exists() and receiver.received == []


@pytest.mark.parametrize("status", [403, 404, 410])
def test_an_endpoint_that_is_gone_is_removed_with_all_that_waited(
    ann: User, browser: PushBrowser, receiver: Receiver, tested: TestedKind, status: int
) -> None:
    tested.keys = ["a", "b"]
    tested.tell()
    receiver.answers = [status]
    push_due(ann)
    assert len(receiver.received) == 1 and not PushEndpoint.objects.exists()
    assert not NotificationDelivery.objects.exists()
    tested.keys = ["c"]
    assert tested.tell() == 0, "without a device there is nobody to tell"


def test_a_receiver_that_hangs_delays_nobody_else(
    ann: User,
    browser: PushBrowser,
    receiver: Receiver,
    tested: TestedKind,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(posting, "TIMEOUT_S", 2.0)
    others = [User.objects.create_user(f"Ben{number}") for number in range(3)]
    for other in others:
        PushBrowser().subscribe(other, receiver, other.name)
    tested.tell()
    arrived: list[str] = []

    async def by_path(address: str, headers: Any, body: bytes, **more: Any) -> posting.PostOutcome:
        outcome = await real(address, headers, body, **more)
        arrived.append(address.rpartition("/")[2])
        return outcome

    real = posting.post
    monkeypatch.setattr(posting, "post", by_path)
    receiver.hanging = {"/push/one"}
    push_due(ann, *others)
    # Ann's push was begun with the others and ended last: its time was over.
    assert sorted(arrived[:3]) == ["Ben0", "Ben1", "Ben2"] and arrived[3] == "one"
    left = NotificationDelivery.objects.get(user=ann)
    assert left.state == "waiting" and "no answer within" in left.error
    assert NotificationDelivery.objects.filter(state="sent").count() == 3


def test_a_failed_push_comes_again_and_is_given_up_in_the_end(
    ann: User, browser: PushBrowser, receiver: Receiver, tested: TestedKind
) -> None:
    tested.tell()
    receiver.answers, receiver.leads_to = [500, 429, 301], "http://169.254.169.254/"
    for attempt in range(3):
        assert push_due(ann) == [1] and push_due(ann) == [0], f"attempt {attempt}"
        NotificationDelivery.objects.update(due_at=timezone.now())
    assert NotificationDelivery.objects.get().error.endswith("redirects are not followed")
    assert len(receiver.received) == 3
    push_due(ann)
    assert states() == ["sent"] and PushEndpoint.objects.get().failures == 0
    tested.keys = ["b"]
    tested.tell()
    receiver.answers = [500] * limits.PUSH_ATTEMPTS_MAX
    for _ in range(limits.PUSH_ATTEMPTS_MAX):
        NotificationDelivery.objects.filter(state="waiting").update(due_at=timezone.now())
        push_due(ann)
    assert states() == ["sent", "dead"]


def test_an_endpoint_whose_messages_are_refused_is_told_nothing_more(
    ann: User, browser: PushBrowser, receiver: Receiver, tested: TestedKind
) -> None:
    tested.keys = [str(number) for number in range(limits.PUSH_FAILURES_MAX)]
    tested.tell()
    receiver.answers = [413] * limits.PUSH_FAILURES_MAX
    push_due(ann)
    assert len(receiver.received) == limits.PUSH_FAILURES_MAX
    assert not PushEndpoint.objects.exists()


def test_an_outage_or_a_late_message_ends_no_device(
    ann: User, browser: PushBrowser, receiver: Receiver, tested: TestedKind
) -> None:
    answers = [503, 429, 401, 500, 502, 503]
    assert len(answers) > limits.PUSH_FAILURES_MAX
    tested.keys = [f"outage {number}" for number in range(len(answers))]
    tested.tell()
    NotificationDelivery.objects.update(attempts=limits.PUSH_ATTEMPTS_MAX - 1)
    receiver.answers = list(answers)
    push_due(ann)
    assert len(receiver.received) == len(answers) and set(states()) == {"dead"}
    tested.keys = [f"late {number}" for number in range(len(answers))]
    tested.tell()
    Notification.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    push_due(ann)
    assert len(receiver.received) == len(answers) and set(states()) == {"dead"}
    assert PushEndpoint.objects.get().failures == 0


def test_a_name_that_leads_inside_is_never_reached_and_ends_the_endpoint(
    ann: User, receiver: Receiver, tested: TestedKind, settings: Settings
) -> None:
    settings.PUSH_NETWORKS = []
    address = f"https://push.example:{receiver.port}/x"
    endpoint = endpoints.add_endpoint(ann, "s", "", address=address, **PushBrowser().keys())
    tested.tell()

    async def inside(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    delivery = delivering.claim_push(ann.pk, timezone.now())
    assert delivery is not None
    outcome = asyncio.run(delivering.push(delivery, timezone.now(), inside))
    assert outcome.is_refused and "127.0.0.1" in outcome.error and receiver.received == []
    delivering.record_push(delivery, outcome, timezone.now())
    assert not PushEndpoint.objects.filter(pk=endpoint.pk).exists()


def test_a_new_key_of_the_room_ends_the_endpoints_of_the_old_one(
    ann: User, browser: PushBrowser, receiver: Receiver, tested: TestedKind, settings: Settings
) -> None:
    tested.tell()
    settings.PUSH_KEY = "another"
    push_due(ann)
    assert receiver.received == [] and not PushEndpoint.objects.exists()


def test_an_expired_notification_is_not_sent(
    ann: User, browser: PushBrowser, receiver: Receiver, tested: TestedKind
) -> None:
    tested.tell()
    Notification.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    push_due(ann)
    assert receiver.received == [] and states() == ["dead"]


def test_quiet_hours_hold_back_and_drop_what_they_outlast(
    ann: User, browser: PushBrowser, receiver: Receiver, tested: TestedKind
) -> None:
    night = datetime(2026, 11, 25, 23, 30, tzinfo=BERLIN)
    preferences.save_settings(
        ann,
        time_zone="Europe/Berlin",
        quiet_from=time(22),
        quiet_until=time(8),
        language="en",
    )
    tested.tell(night)
    morning = datetime(2026, 11, 26, 8, 0, tzinfo=BERLIN)
    assert NotificationDelivery.objects.get().due_at == morning
    assert delivering.claim_push(ann.pk, night) is None
    assert delivering.claim_push(ann.pk, morning) is not None
    tested.keys, tested.lasts = ["short"], timedelta(hours=8)
    assert tested.tell(night) == 1
    assert NotificationDelivery.objects.count() == 1, "it would be over before the morning"


def test_notifications_held_back_follow_new_quiet_hours(
    ann: User, browser: PushBrowser, tested: TestedKind
) -> None:
    now = timezone.now()
    quiet = {"time_zone": "UTC", "language": "en"}
    begin, end, later = ((now + timedelta(hours=hours)).time() for hours in (-1, 1, 2))
    preferences.save_settings(ann, quiet_from=begin, quiet_until=end, **quiet)
    tested.tell()
    held = NotificationDelivery.objects
    assert held.get().due_at == now + timedelta(hours=1)
    preferences.save_settings(ann, quiet_from=begin, quiet_until=later, **quiet)
    assert held.get().due_at == now + timedelta(hours=2)
    preferences.save_settings(ann, quiet_from=None, quiet_until=None, **quiet)
    assert held.get().due_at <= timezone.now()
    assert delivering.claim_push(ann.pk, timezone.now()) is not None


def test_notifications_of_a_player_are_bounded(
    ann: User, browser: PushBrowser, tested: TestedKind
) -> None:
    tested.keys = [str(number) for number in range(limits.NOTICES_BURST + 5)]
    assert tested.tell() == limits.NOTICES_BURST
    assert tested.tell() == 0 and Notification.objects.count() == limits.NOTICES_BURST
    assert not raising.raise_trial(ann)


def test_a_trial_reaches_all_devices_in_quiet_hours_too(
    ann: User, browser: PushBrowser, receiver: Receiver
) -> None:
    other = PushBrowser()
    other.subscribe(ann, receiver, "two")
    now = timezone.now()
    early, late = (now + timedelta(hours=hours) for hours in (-1, 1))
    preferences.save_settings(
        ann,
        time_zone="UTC",
        quiet_from=early.time(),
        quiet_until=late.time(),
        language="en",
    )
    assert raising.raise_trial(ann) and push_due(ann) == [2]
    read = {sent.path: sent.body for sent in receiver.received}
    assert browser.read(read["/push/one"])["title"] == "It works"
    assert other.read(read["/push/two"])["title"] == "It works"


@pytest.fixture
def mailed(ann: User, settings: Settings, tested: TestedKind) -> User:
    settings.MAIL_URL = "file:///unused"
    confirmed(ann, "ann@example.org")
    preferences.save_choices(ann, [("tested", "mail")])
    return ann


def test_one_mail_an_hour_holds_all_that_waits(
    mailed: User, receiver: Receiver, tested: TestedKind
) -> None:
    now = timezone.now()
    tested.keys = ["a", "b"]
    assert tested.tell(now) == 2
    assert (digest.mail_due(now), digest.mail_due(now)) == (1, 0)
    mail = Mail.objects.get()
    assert mail.subject == "2 notifications" and mail.address == "ann@example.org"
    assert mail.body.count("Your turn") == 2 and "http://localhost/tickets/" in mail.body
    assert states() == ["sent", "sent"]
    tested.keys = ["c"]
    tested.tell(now)
    assert digest.mail_due(now + timedelta(minutes=59)) == 0
    assert digest.mail_due(now + timedelta(minutes=61)) == 1
    assert Mail.objects.count() == 2 and receiver.received == []


def test_mail_is_for_confirmed_addresses_and_waits_for_the_morning(
    mailed: User, receiver: Receiver, tested: TestedKind
) -> None:
    now = timezone.now()
    tested.tell(now)
    later = (now + timedelta(hours=2)).time()
    early = (now - timedelta(hours=1)).time()
    preferences.save_settings(
        mailed, time_zone="UTC", quiet_from=early, quiet_until=later, language="en"
    )
    assert digest.mail_due(now) == 0 and states() == ["waiting"]
    EmailAddress.objects.all().delete()
    NotificationSettings.objects.all().delete()
    assert digest.mail_due(now) == 0 and states() == ["dead"]
    tested.keys = ["b"]
    assert tested.tell(now) == 0 and not Mail.objects.exists()


def test_a_player_whose_zone_is_no_more_stops_nobody_else(
    mailed: User, receiver: Receiver, tested: TestedKind
) -> None:
    ben = User.objects.create_user("Ben")
    confirmed(ben, "ben@example.org")
    preferences.save_choices(ben, [("tested", "mail")])
    now = timezone.now()
    tested.tell(now)
    NotificationSettings.objects.create(user=mailed, time_zone="Gone/Nowhere", quiet_from=time(1))
    NotificationSettings.objects.update(quiet_until=time(2))
    tested.keys = ["b"]
    assert tested.tell(now) == 1 and digest.mail_due(now) == 1
    assert Mail.objects.get().address == "ben@example.org"


def test_a_choice_that_is_turned_off_drops_what_waits_for_its_way_alone(
    mailed: User, receiver: Receiver, tested: TestedKind
) -> None:
    PushBrowser().subscribe(mailed, receiver)
    preferences.save_choices(mailed, [("tested", "push"), ("tested", "mail")])
    now = timezone.now()
    tested.tell(now)
    preferences.save_choices(mailed, [("tested", "push")])
    assert digest.mail_due(now) == 0 and not Mail.objects.exists()
    assert push_due(mailed) == [1], "the device is told all the same"
    tested.keys = ["b"]
    tested.tell(now)
    preferences.save_choices(mailed, [])
    assert push_due(mailed) == [0] and len(receiver.received) == 1


def test_old_notifications_are_deleted(ann: User, browser: PushBrowser, tested: TestedKind) -> None:
    tested.tell()
    assert delivering.prune() == 0
    Notification.objects.update(made_at=timezone.now() - delivering.KEPT - timedelta(hours=1))
    assert delivering.prune() == 1 and states() == []


def test_kinds_have_different_names(tested: TestedKind) -> None:
    with pytest.raises(AssertionError):
        kinds.register(tested.kind)
    with pytest.raises(kinds.NoSuchKind):
        kinds.kind_named("nothing")
