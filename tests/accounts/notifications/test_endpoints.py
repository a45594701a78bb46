"""Devices that are told: added, refused in words, renewed, taken over, ended with a session."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from redis import Redis

from accounts.deletion import deleting
from accounts.logins import open_sessions
from accounts.models import User
from accounts.notifications import endpoints, preferences
from accounts.notifications.models import (
    NotificationChoice,
    NotificationSettings,
    PushEndpoint,
    RemovedDevice,
)
from accounts.users import account_export
from config import limits
from tests.accounts.notifications.push_browser import PushBrowser
from tests.accounts.notifications.tested_kind import TestedKind

pytestmark = pytest.mark.django_db

PAGE, ADD = "/account/notifications/", "/account/notifications/devices/"
ADDRESS = "https://push.example/send/1"
HERE = {"host": "localhost"}


@pytest.fixture
def ann(room: Redis) -> User:
    return User.objects.create_user("Ann", "a long password")


@pytest.fixture
def client_of_ann(ann: User, client: Client) -> Client:
    client.force_login(ann)
    return client


def add(client: Client, **change: str) -> Any:
    given = {"address": ADDRESS, **PushBrowser().keys()} | change
    return client.post(ADD, given, headers=HERE)


@pytest.mark.parametrize(
    "change",
    [
        {"address": ""},
        {"address": "push.example"},
        {"address": "http://push.example/x"},
        {"address": "https://push..example/x"},
        {"address": f"https://{'p' * 64}.example/x"},
        {"address": "https://127.0.0.1/x"},
        {"address": "https://169.254.169.254/latest/"},
        {"address": "https://[::ffff:10.0.0.1]/x"},
        {"address": "https://user:word@push.example/"},
        {"address": "https://push.example/" + "x" * limits.PUSH_ADDRESS_MAX},
        {"public_key": "AAAA"},
        {"secret": "AAAA"},
        {"secret": "x" * 41},
    ],
)
def test_an_endpoint_that_is_none_is_refused_and_nothing_is_stored(
    client_of_ann: Client, change: dict[str, str]
) -> None:
    answer = add(client_of_ann, **change)
    assert answer.status_code == 400 and answer.json()["code"] == "endpoint_refused"
    assert "address" in answer.json()["message"]
    assert not PushEndpoint.objects.exists() and not NotificationChoice.objects.exists()


def test_a_device_removed_elsewhere_does_not_come_back_by_itself(
    client_of_ann: Client, ann: User
) -> None:
    other, browser = Client(), PushBrowser().keys()
    other.force_login(ann)
    for remover in (other, client_of_ann):
        assert "device" in add(client_of_ann, **browser).json()
        page = f"{ADD}{PushEndpoint.objects.get().pk}/remove/"
        assert remover.post(page).status_code == 302
        assert add(client_of_ann, renews="1", **browser).json() == {"removed": True}
        assert not PushEndpoint.objects.exists()
    assert "device" in add(client_of_ann, **browser).json(), "turned on again by its player"
    assert "device" in add(client_of_ann, renews="1", **browser).json()
    assert PushEndpoint.objects.get().user == ann


def test_a_removed_device_stays_off_after_a_new_log_in(client_of_ann: Client, ann: User) -> None:
    other, browser = Client(), PushBrowser().keys()
    other.force_login(ann)
    add(client_of_ann, **browser)
    held = Session.objects.get(pk=client_of_ann.session.session_key).session_data
    assert other.post(f"{ADD}{PushEndpoint.objects.get().pk}/remove/").status_code == 302
    after = Session.objects.get(pk=client_of_ann.session.session_key).session_data
    assert after == held, "a session of another window is not written"
    client_of_ann.post("/accounts/logout/")
    client_of_ann.force_login(ann)
    assert add(client_of_ann, renews="1", **browser).json() == {"removed": True}
    assert not PushEndpoint.objects.exists()
    ben = Client()
    ben.force_login(User.objects.create_user("Ben"))
    assert "device" in add(ben, renews="1", **browser).json(), "another player removed nothing"
    assert "device" in add(client_of_ann, **browser).json()
    assert not RemovedDevice.objects.exists(), "turned on again by its player"


def test_the_latest_removals_of_a_player_are_kept(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PUSH_REMOVED_MAX", 2)
    keys = PushBrowser().keys()
    for number in range(3):
        row = endpoints.add_endpoint(ann, "s", "", address=f"{ADDRESS}{number}", **keys)
        assert endpoints.remove_endpoint(ann, row.pk)
        assert not endpoints.remove_endpoint(ann, row.pk)
    assert RemovedDevice.objects.count() == 2
    for number in (1, 2):
        address = f"{ADDRESS}{number}"
        assert endpoints.renew_endpoint(ann, "s", "", address=address, **keys) is None


def test_a_device_outlives_a_password_that_its_player_changes_there(
    client_of_ann: Client, ann: User
) -> None:
    other = Client()
    other.force_login(ann)
    add(client_of_ann)
    add(other, address=f"{ADDRESS}0")
    former = client_of_ann.session.session_key
    new = "another long password"
    given = {"old_password": "a long password", "new_password1": new, "new_password2": new}
    assert client_of_ann.post("/account/", given).status_code == 302
    key = client_of_ann.session.session_key
    assert key != former and PushEndpoint.objects.get().session == key
    client_of_ann.post("/accounts/logout/")
    assert not PushEndpoint.objects.exists()


def test_plain_http_offers_no_device_and_says_why(client_of_ann: Client) -> None:
    page = client_of_ann.get(PAGE, headers={"host": "testserver"}).content.decode()
    assert "only from an address with https" in page and "data-key" not in page
    answer = client_of_ann.post(
        ADD, {"address": ADDRESS, **PushBrowser().keys()}, headers={"host": "testserver"}
    )
    assert answer.status_code == 400 and not PushEndpoint.objects.exists()
    for host in ("localhost", "127.0.0.1"):
        page = client_of_ann.get(PAGE, headers={"host": host}).content.decode()
        assert "data-key" in page and "only from an address" not in page


def test_the_first_device_turns_every_kind_on_and_a_second_none(
    client_of_ann: Client, ann: User, tested: TestedKind
) -> None:
    assert add(client_of_ann).status_code == 200
    assert preferences.choices_of(ann) == {("tested", "push")}
    given = {"time_zone": "Europe/Berlin", "language": "de"}
    assert client_of_ann.post(PAGE, given, headers=HERE).status_code == 302
    assert preferences.choices_of(ann) == set()
    assert add(client_of_ann, address=ADDRESS + "2").status_code == 200
    assert PushEndpoint.objects.count() == 2 and preferences.choices_of(ann) == set()


def test_a_device_is_told_in_the_language_in_which_it_was_turned_on(
    client_of_ann: Client, ann: User
) -> None:
    client_of_ann.cookies["django_language"] = "de"
    assert add(client_of_ann).status_code == 200
    assert preferences.settings_of(ann).language == "de"
    assert "data-new" in client_of_ann.get(PAGE, headers=HERE).content.decode()
    client_of_ann.cookies["django_language"] = "en"
    assert add(client_of_ann, address=ADDRESS + "2").status_code == 200
    assert preferences.settings_of(ann).language == "de", "one that is stored stays"
    given = {"time_zone": "Europe/Berlin", "language": "en"}
    client_of_ann.post(PAGE, given, headers=HERE)
    assert "data-new" not in client_of_ann.get(PAGE, headers=HERE).content.decode()


def test_a_known_device_is_renewed_and_goes_to_the_player_at_it(
    client_of_ann: Client, ann: User
) -> None:
    ben, keys = User.objects.create_user("Ben"), PushBrowser().keys()
    first = endpoints.add_endpoint(ann, "a", "Firefox", address=ADDRESS, **keys)
    again = endpoints.add_endpoint(ann, "b", "Firefox", address=ADDRESS, **keys)
    assert again.pk == first.pk and again.session == "b"
    with pytest.raises(endpoints.EndpointTaken):
        endpoints.add_endpoint(ben, "c", "", address=ADDRESS, **PushBrowser().keys())
    assert PushEndpoint.objects.get().user == ann
    endpoints.add_endpoint(ben, "c", "Firefox", address=ADDRESS, **keys)
    assert PushEndpoint.objects.get().user == ben


def test_devices_are_bounded_in_number_and_rate(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PUSH_ENDPOINTS_MAX", 2)
    keys = PushBrowser().keys()
    for number in range(2):
        endpoints.add_endpoint(ann, "s", "", address=f"{ADDRESS}{number}", **keys)
    with pytest.raises(endpoints.TooManyEndpoints):
        endpoints.add_endpoint(ann, "s", "", address=f"{ADDRESS}9", **keys)
    for _ in range(limits.PUSH_ADDED_BURST - 3):
        endpoints.add_endpoint(ann, "s", "", address=f"{ADDRESS}0", **keys)
    with pytest.raises(endpoints.EndpointsTooFast):
        endpoints.add_endpoint(ann, "s", "", address=f"{ADDRESS}0", **keys)
    assert PushEndpoint.objects.count() == 2


def test_a_device_ends_with_its_session_alone(client_of_ann: Client, ann: User) -> None:
    add(client_of_ann)
    other = Client()
    other.force_login(ann)
    add(other, address=ADDRESS + "2")
    open_sessions.end_others(ann, client_of_ann.session.session_key)
    assert PushEndpoint.objects.get().address == ADDRESS
    client_of_ann.post("/accounts/logout/")
    assert not PushEndpoint.objects.exists()


def test_only_the_own_device_is_removed(client_of_ann: Client, ann: User) -> None:
    ben, keys = User.objects.create_user("Ben"), PushBrowser().keys()
    other = endpoints.add_endpoint(ben, "s", "", address=ADDRESS + "2", **keys)
    add(client_of_ann)
    own = PushEndpoint.objects.get(user=ann)
    assert client_of_ann.post(f"{ADD}{other.pk}/remove/", headers=HERE).status_code == 404
    for address in (other.address, "\0", ""):
        forget = {"address": address}
        assert client_of_ann.post(f"{PAGE}forget/", forget, headers=HERE).status_code == 204
    assert PushEndpoint.objects.count() == 2
    assert client_of_ann.post(f"{ADD}{own.pk}/remove/", headers=HERE).status_code == 302
    assert PushEndpoint.objects.get() == other


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"choice": ["tested sms"]}, "valid choice"),
        ({"choice": ["nothing push"]}, "valid choice"),
        ({"choice": ["x"]}, "valid choice"),
        ({"quiet_from": "22:00"}, "a beginning and an end"),
        ({"quiet_from": "25:00", "quiet_until": "08:00"}, "valid time"),
        ({"time_zone": "Mars/Base"}, "valid choice"),
        ({"language": "xx"}, "valid choice"),
    ],
)
def test_a_wrong_choice_is_refused_in_words_and_changes_nothing(
    client_of_ann: Client, ann: User, tested: TestedKind, change: dict[str, Any], words: str
) -> None:
    given = {"time_zone": "UTC", "language": "en", "choice": ["tested push"]}
    client_of_ann.post(PAGE, given, headers=HERE)
    answer = client_of_ann.post(PAGE, given | change, headers=HERE)
    assert answer.status_code == 400 and words in answer.content.decode()
    assert preferences.choices_of(ann) == {("tested", "push")}
    row = NotificationSettings.objects.get()
    assert (row.time_zone, row.quiet_from, row.language) == ("UTC", None, "en")


def test_everything_is_exported_without_secrets_and_deleted(
    client_of_ann: Client, ann: User, tested: TestedKind
) -> None:
    add(client_of_ann)
    given = {"time_zone": "UTC", "language": "de", "choice": ["tested push"]}
    client_of_ann.post(PAGE, given, headers=HERE)
    tested.tell()
    packed = account_export.zipped(ann)
    assert b"push_devices.csv" in packed and b"notification_choices.csv" in packed
    secret = PushEndpoint.objects.get().secret
    RemovedDevice.objects.create(user=ann, digest="d")
    sections = [list(rows(ann)) for rows in account_export._sections.values()]
    assert ADDRESS in str(sections) and secret not in str(sections)
    deleting.delete(ann)
    assert tested.tell() == 0
    for kind in (PushEndpoint, RemovedDevice, NotificationChoice, NotificationSettings):
        assert not kind._default_manager.filter(user=ann).exists()
    assert not ann.notifications.exists()
