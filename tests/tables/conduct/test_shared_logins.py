"""Log-ins note shared browsers and networks, without addresses and names of devices."""

from __future__ import annotations

from datetime import timedelta

from django.test import Client
from django.utils import timezone
from redis import Redis

from accounts.models import User
from tables.conduct.keeping import month_of
from tables.conduct.models import ConductCase, LoginNetwork, PairConduct, SharedBrowser
from tables.conduct.scoring import look_for_signs

PASSWORD = "correct horse battery"


def log_in(client: Client, name: str, address: str = "198.51.100.7") -> None:
    answer = client.post(
        "/accounts/login/", {"username": name, "password": PASSWORD},
        secure=True, REMOTE_ADDR=address,
    )  # fmt: skip
    assert answer.status_code == 302


def test_two_accounts_of_one_browser_are_noted(
    room: Redis, transactional_db: None, client: Client
) -> None:
    ann, bob, eve = (User.objects.create_user(name, PASSWORD) for name in ("Ann", "Bob", "Eve"))
    log_in(client, "Ann")
    assert not SharedBrowser.objects.exists()
    client.post("/accounts/logout/", secure=True)
    log_in(client, "Bob")
    row = SharedBrowser.objects.get()
    assert (row.first, row.second, row.logins) == (ann, bob, 1)
    log_in(Client(), "Eve")
    assert SharedBrowser.objects.count() == 1
    networks = {row.user_id: row.network for row in LoginNetwork.objects.all()}
    assert networks[ann.pk] == networks[bob.pk] == networks[eve.pk]
    assert "198.51.100" not in "".join(networks.values())
    log_in(Client(), "Eve", address="203.0.113.9")
    assert LoginNetwork.objects.filter(user=eve).count() == 2


def test_a_forged_cookie_notes_nobody(room: Redis, transactional_db: None, client: Client) -> None:
    ann, bob = (User.objects.create_user(name, PASSWORD) for name in ("Ann", "Bob"))
    client.cookies["devices"] = f"{ann.pk}:1abc:forged"
    log_in(client, "Bob")
    assert not SharedBrowser.objects.exists()
    assert list(LoginNetwork.objects.values_list("user", flat=True)) == [bob.pk]


def test_a_browser_shared_after_the_last_common_hand_opens_a_case(
    room: Redis, transactional_db: None, client: Client
) -> None:
    ann, bob = (User.objects.create_user(name, PASSWORD) for name in ("Ann", "Bob"))
    now = timezone.now()
    for month in map(month_of, (now - timedelta(days=31), now)):
        PairConduct.objects.create(first=ann, second=bob, month=month, meetings=1)
    look_for_signs()
    log_in(client, "Ann")
    client.post("/accounts/logout/", secure=True)
    assert look_for_signs() == 0 and not ConductCase.objects.exists()
    log_in(client, "Bob")
    assert look_for_signs() == 1, "the last month stands for the pair"
    assert ConductCase.objects.get().sign == "shared_browser"
