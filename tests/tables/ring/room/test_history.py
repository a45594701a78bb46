"""A player's ended stays at ring tables, as page and file: own ones only, equal to the ledger."""

from __future__ import annotations

import csv
import random
from datetime import timedelta

import pytest
from django.http import HttpResponseBase, StreamingHttpResponse
from django.test import Client
from django.utils import timezone
from redis import Redis

from accounts.ledger import transfers
from accounts.models import AccountKind, User
from accounts.money import text
from tables.models import Seat
from tables.ring.models import RingGame, RingSession
from tables.ring.pages import history as page
from tables.ring.queries import history
from tables.ring.sessions import leaving, sit_down
from tests.tables.ring.room import cast

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),
]


def over(room: Redis, ring: RingGame) -> list[User]:
    """Players of a game with rake who played until a stack was empty, and left."""
    table, users = cast.table_of(ring), [cast.player() for _ in range(3)]
    for user in users:
        sit_down.sit(user, ring.pk, amount=cast.BUY_IN)
    chance = random.Random(3)
    for _ in range(15):
        cast.play_hand(room, table, chance)
        if Seat.objects.filter(table=table, chips__gt=0).count() < 2:
            break
    for session in RingSession.objects.filter(table=table).exclude(state="left"):
        leaving.leave(session.user, session.pk)
    cast.boundary(room, table)
    return users


def rows(client: Client) -> list[dict[str, str]]:
    """The CSV file as a spreadsheet reads it."""
    answer: HttpResponseBase = client.get("/ring/mine.csv")
    assert isinstance(answer, StreamingHttpResponse) and answer.is_async
    return list(csv.DictReader(b"".join(answer).decode().splitlines()))


@pytest.mark.rule("R-02")
def test_ended_stays_add_up_to_the_wallets_and_to_the_booked_rake(
    room: Redis, client: Client
) -> None:
    ring = cast.raked(name="=1+1")
    users = over(room, ring)
    totals = [history.totals(user) for user in users]
    fees = transfers.account(AccountKind.FEE, ref=f"ring:{cast.table_of(ring).pk}")
    assert sum(one.rake for one in totals) == transfers.balance(fees) > 0
    assert sum(one.result for one in totals) == -transfers.balance(fees)
    for user, one in zip(users, totals, strict=True):
        assert one.stays == 1 and cast.balance(user) == cast.BALANCE + one.result
        client.force_login(user)
        [row] = rows(client)
        assert row["result"] == f"{one.result / 100:.2f}" and int(row["hands"]) == one.hands
        assert row["game"] == "'=1+1", "no spreadsheet takes a name for a formula"
        page = client.get("/ring/mine/").content.decode()
        assert text(one.rake) in page and "=1+1" in page


def test_a_stay_in_play_and_stays_of_others_are_not_shown(room: Redis, client: Client) -> None:
    ring = cast.game()
    user = cast.player()
    sit_down.sit(user, ring.pk, amount=cast.BUY_IN)
    client.force_login(user)
    assert rows(client) == []
    assert "You have left no ring table yet" in client.get("/ring/mine/").content.decode()


def test_a_file_of_many_stays_has_each_once_newest_first(
    room: Redis, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "STAYS_AT_ONCE", 3)
    ring, user, now = cast.game(), cast.player(), timezone.now()
    for number in range(10):
        RingSession.objects.create(
            game=ring,
            user=user,
            state=RingSession.State.LEFT,
            hands=number,
            # Two end at each moment.
            ended_at=now + timedelta(minutes=number // 2),
        )
    client.force_login(user)
    assert [int(row["hands"]) for row in rows(client)] == list(range(9, -1, -1))
    monkeypatch.setattr(page, "ON_A_PAGE", 4)
    seen = [client.get("/ring/mine/", {"page": number}).context for number in (1, 2, 3)]
    assert [one.hands for some in seen for one in some["stays"]] == list(range(9, -1, -1))
    assert [some["pages"].has_next() for some in seen] == [True, True, False]


def test_a_visitor_is_sent_to_the_log_in(room: Redis, client: Client, db: None) -> None:
    for address in ("/ring/mine/", "/ring/mine.csv"):
        assert client.get(address)["Location"].startswith("/accounts/login/")
