"""Disqualification of a player who may buy again or asked for chips."""

from __future__ import annotations

import pytest
from redis import Redis

from tables.models import Seat
from tests.tournaments.buying.rebuy_scene import bust, held, next_hand, open_rebuy_offer, rebuys
from tests.tournaments.cast import STACK, law, somebody
from tests.tournaments.seating.several_entries import multi
from tournaments.models import Entry, KnockOut, Offer, Ruling, Tournament
from tournaments.monitor import audit
from tournaments.running import rulings, sales

HAND_STEPS_MAX = 60


@pytest.mark.rule("T-15")
@pytest.mark.parametrize("buy", [True, False])
def test_a_disqualified_player_who_busts_in_that_hand_is_out_once(house: Redis, buy: bool) -> None:
    tournament = rebuys(4)
    arena, entry = bust(tournament)
    [table] = arena.tables()
    Ruling.objects.create(tournament=tournament, entry=entry, kind="disqualify", reason="why")
    Tournament.objects.update(rulings=1)
    assert arena.step(table) == "rebuy", "the offer made before is answered first"
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=buy)
    for _ in range(HAND_STEPS_MAX):
        arena.step(table)
        entry.refresh_from_db()
        if entry.state in ("disqualified", "out"):
            break
    assert entry.state == ("disqualified" if buy else "out")
    assert bool(entry.dead_chips) is buy
    assert KnockOut.objects.filter(entry=entry).count() == 1
    assert not audit.audit_tournaments(tournament.pk)


@pytest.mark.rule("T-15")
@pytest.mark.rule("E-04")
def test_a_disqualified_player_pays_for_no_chips_that_were_asked_for(house: Redis) -> None:
    tournament = rebuys(4, rebuy_threshold="full")
    entry = somebody(tournament)
    before = held(entry.user)
    assert sales.request_rebuy(entry.user, tournament.pk).state == "accepted"
    rulings.disqualify(entry.pk, actor=None, reason="why")
    next_hand(Seat.objects.get(entry=entry.pk).table_id)
    entry.refresh_from_db()
    assert (entry.state, entry.dead_chips) == ("disqualified", STACK)
    assert held(entry.user) == before
    assert Offer.objects.get().state == "expired"
    law(tournament.pk)


@pytest.mark.rule("T-15")
@pytest.mark.rule("E-03")
def test_an_entry_to_be_disqualified_saves_no_chips_by_merging(house: Redis) -> None:
    tournament = multi(4, 2, merge_at=4)
    entry = Entry.objects.filter(user=somebody(tournament).user_id).latest("pk")
    rulings.disqualify(entry.pk, actor=None, reason="why")
    next_hand(Seat.objects.get(entry=entry.pk).table_id)
    entry.refresh_from_db()
    assert (entry.state, entry.dead_chips) == ("disqualified", STACK)
    law(tournament.pk)
