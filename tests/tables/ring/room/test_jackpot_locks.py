"""Accounts of jackpots: locked in the order of transfers, and fed by games that can win them."""

from __future__ import annotations

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace
from redis import Redis

from accounts.ledger import transfers
from accounts.models import AccountKind
from tables.models import Seat
from tables.ring.engine.jackpots import JACKPOTS
from tables.ring.models import Jackpot, JackpotWin
from tables.ring.models.jackpot import builtins_of
from tables.ring.queries import jackpots, lobby
from tables.ring.sessions import sit_down
from tests.tables.ring.room import cast

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_jackpot_that_falls_locks_no_pool_before_its_players(room: Redis) -> None:
    for kind in ("monte_carlo", "bad_beat"):
        terms = replace(JACKPOTS[kind], pocket_pair=False, both_hole_cards=False)
        Jackpot.objects.update_or_create(kind=kind, defaults={"stored_terms": builtins_of(terms)})
    ring = cast.raked(jackpots=("monte_carlo", "bad_beat"), buy_in_max=2_000_00)
    table = cast.table_of(ring)
    for _ in range(4):
        sit_down.sit(cast.player(balance=5_000_00), ring.pk, amount=2_000_00)
    chance = random.Random(2)
    with CaptureQueriesContext(connection) as asked:
        for _ in range(40):
            cast.play_hand(room, table, chance)
            if JackpotWin.objects.exists():
                break
    assert JackpotWin.objects.exists(), "no jackpot fell"
    locks = [
        query["sql"]
        for query in asked.captured_queries
        if "accounts_account" in query["sql"] and "FOR NO KEY UPDATE" in query["sql"]
    ]
    assert locks and all("ORDER BY" in lock for lock in locks), "each in the order of transfers"
    cast.law()


@pytest.mark.rule("J-01")
def test_an_older_stud_game_with_a_jackpot_feeds_none(room: Redis) -> None:
    bets = {"bring_in": 25, "small_bet": 100, "big_bet": 200, "ante": 10, "ante_kind": "per_seat"}
    no_blinds = {"small_blind": 0, "big_blind": 0, "variant": "stud", "limit": "fixed_limit"}
    ring = cast.raked(**bets, **no_blinds)
    jackpot, _made = Jackpot.objects.update_or_create(
        kind="smart", defaults={"stored_terms": builtins_of(JACKPOTS["smart"])}
    )
    ring.jackpots.add(jackpot)
    assert (lobby.row(ring, None).jackpots, jackpots.pools(ring)) == ((), [])
    table, chance = cast.table_of(ring), random.Random(4)
    for _ in range(3):
        sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN)
    fees = transfers.account(AccountKind.FEE, ref=f"ring:{table.pk}")
    for _ in range(20):
        cast.play_hand(room, table, chance)
        if (
            transfers.balance(fees) >= 100
            or Seat.objects.filter(table=table, chips__gt=0).count() < 2
        ):
            break
    assert transfers.balance(fees) >= 100, "no hand was raked"
    assert transfers.balance(transfers.account(AccountKind.JACKPOT, ref="smart")) == 0
    cast.law()
