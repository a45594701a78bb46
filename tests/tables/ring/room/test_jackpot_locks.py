"""Accounts of a hand that wins a jackpot: locked in the order of transfers, before any other."""

from __future__ import annotations

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace
from redis import Redis

from tables.ring.engine.jackpots import JACKPOTS
from tables.ring.models import Jackpot, JackpotWin
from tables.ring.models.jackpot import builtins_of
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
