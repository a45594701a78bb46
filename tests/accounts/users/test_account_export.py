"""Download of one's own data: complete, own rows alone, a few times an hour."""

from __future__ import annotations

import csv
import io
import json
import zipfile

import pytest
from django.test import Client
from redis import Redis

from accounts.ledger.credit import credit
from accounts.models import EmailAddress, SecondFactor, User
from accounts.users import own_limits, second_factor
from tests.accounts.mail.addresses import confirmed
from tournaments.models import Entry

pytestmark = pytest.mark.django_db


def test_the_zip_holds_own_rows_as_json_and_csv_and_no_secret(room: Redis) -> None:
    ann, bob = (User.objects.create_user(name, "a long password") for name in ("Ann", "Bob"))
    client = Client()
    client.force_login(ann)
    for user in (ann, bob):
        credit([user], amount=1_234, reason=f"=gift to {user.name}", token=user.name * 8)
        confirmed(user, f"{user.name}@example.org", f"{user.name}@example.net")
        EmailAddress.objects.create(user=user, address=f"=1{user.name}@example.com")
    own_limits.change(ann, entries_a_day=3, money_a_week=None)
    held, secret = second_factor.begin("")
    SecondFactor.objects.create(user=ann, sealed_secret=held)
    answer = client.post("/account/export/")
    assert answer.headers["Content-Type"] == "application/zip"
    packed = zipfile.ZipFile(io.BytesIO(answer.content))
    text = packed.read("account.json").decode()
    sections = json.loads(text)
    assert sections["profile"][0]["name"] == "Ann" and "Bob" not in text
    addresses = [(row["address"], row["is_primary"]) for row in sections["addresses"]]
    assert addresses == [
        ("Ann@example.org", True),
        ("Ann@example.net", False),
        ("=1Ann@example.com", False),
    ]
    table = list(csv.DictReader(io.StringIO(packed.read("addresses.csv").decode())))
    assert [row["address"] for row in table][1:] == ["Ann@example.net", "'=1Ann@example.com"]
    assert [bool(row["confirmed_at"]) for row in table] == [True, True, False]
    assert sections["own_limits"][0]["entries_a_day"] == 3
    assert [row["amount"] for row in sections["movements"]] == [1_234]
    assert ann.password not in text and secret not in text
    assert SecondFactor.objects.get().sealed_secret not in text
    assert {f"{name}.csv" for name in sections} == set(packed.namelist()) - {"account.json"}
    [row] = csv.DictReader(io.StringIO(packed.read("movements.csv").decode()))
    assert row["amount"] == "1234" and not row["transfer__memo"].startswith("=")
    assert sections["tournaments"] == [] and not Entry.objects.exists()


def test_a_download_is_asked_for_by_a_post_a_few_times_and_by_its_user(room: Redis) -> None:
    client = Client()
    client.force_login(User.objects.create_user("Ann", "a long password"))
    assert client.get("/account/export/").status_code == 405
    answers = [client.post("/account/export/").status_code for _number in range(4)]
    assert answers == [200, 200, 200, 302]
    assert Client().post("/account/export/").headers["Location"].startswith("/accounts/login/")
