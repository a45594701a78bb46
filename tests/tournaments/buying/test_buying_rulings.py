"""Disqualification of a player who may buy again or asked for chips."""

from __future__ import annotations

import msgspec
import pytest
from redis import Redis

from tables.models import Seat
from tests.tournaments.buying.rebuy_scene import (
    SMALL,
    bust,
    dealt_in,
    held,
    next_hand,
    open_rebuy_offer,
    rebuys,
)
from tests.tournaments.cast import STACK, law, somebody
from tests.tournaments.entries.late_entries import late, users_without_entry
from tests.tournaments.events.announced import events_of_type
from tests.tournaments.seating.several_entries import multi
from tests.tournaments.seating.short_tables import knocked_out
from tournaments.buying import offers
from tournaments.engine.refusals import EntryBarred
from tournaments.entries import registration
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Entry, KnockOut, Offer, Ruling, Tournament
from tournaments.monitor import audit
from tournaments.queries import lobby_rows
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
    [ended] = events_of_type(f"user:{entry.user_id}", "offer_ended")
    assert msgspec.json.decode(ended)["why"] == "not_in_play", "it was accepted before"
    law(tournament.pk)


@pytest.mark.rule("T-15")
@pytest.mark.rule("E-04")
@pytest.mark.parametrize("asks", [True, False])
def test_a_player_to_be_disqualified_who_busts_is_sold_no_chips(house: Redis, asks: bool) -> None:
    tournament = rebuys(4, rebuy_threshold="full")
    seat = Seat.objects.order_by("pk")[0]
    arena, entry = dealt_in(tournament, seat), Entry.objects.get(pk=seat.entry)
    before = held(entry.user)
    if asks:
        assert sales.request_rebuy(entry.user, tournament.pk, entry.pk).state == "accepted"
    rulings.disqualify(entry.pk, actor=None, reason="why")
    arena.states[seat.table_id] = knocked_out(arena.states[seat.table_id], {SMALL})
    assert arena.step(seat.table_id) == "settled"
    entry.refresh_from_db()
    assert (entry.state, entry.dead_chips, held(entry.user)) == ("out", 0, before)
    assert [*Offer.objects.values_list("state", flat=True)] == ["expired"] * asks
    assert Ruling.objects.get().state == "void", "the chips were lost before it was carried out"
    assert not audit.audit_tournaments(tournament.pk)


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


@pytest.mark.rule("T-15")
@pytest.mark.rule("E-02")
def test_a_disqualified_player_does_not_enter_again(house: Redis) -> None:
    tournament = late(4, entries_max=3)
    entry = somebody(tournament)
    rulings.disqualify(entry.pk, actor=None, reason="why")
    next_hand(Seat.objects.get(entry=entry.pk).table_id)
    entry.refresh_from_db()
    assert entry.state == "disqualified"
    refused_again(tournament, entry)
    [stranger] = users_without_entry(1)
    assert registration.register(stranger, tournament).state == "seated"
    law(tournament.pk)


@pytest.mark.rule("T-15")
@pytest.mark.rule("E-02")
def test_a_player_who_lost_all_before_the_disqualification_does_not_enter_again(
    house: Redis,
) -> None:
    tournament = late(4, entries_max=3)
    arena, entry = bust(tournament)
    Ruling.objects.create(
        tournament=tournament, entry=entry, kind="disqualify", reason="why", state="void"
    )
    before = held(entry.user)
    offer = open_rebuy_offer(entry)
    with pytest.raises(EntryBarred):
        sales.answer(entry.user, offer.pk, buy=True)
    offer.refresh_from_db()
    assert (offer.state, held(entry.user)) == ("open", before)
    sales.answer(entry.user, offer.pk, buy=False)
    arena.hand(arena.tables()[0])
    entry.refresh_from_db()
    assert entry.state == "out"
    refused_again(tournament, entry)
    law(tournament.pk)


@pytest.mark.rule("T-15")
@pytest.mark.rule("E-03")
def test_no_entry_of_a_disqualified_player_is_offered_another_one(house: Redis) -> None:
    tournament = multi(4, 2, entries_max=3, late_ends="at_level", late_value=3)
    out = somebody(tournament)
    other = Entry.objects.filter(user=out.user_id).exclude(pk=out.pk).get()
    rulings.disqualify(other.pk, actor=None, reason="why")
    next_hand(Seat.objects.get(entry=other.pk).table_id)
    someone = Entry.objects.exclude(user=out.user_id).earliest("pk")
    with tournament_transaction(tournament.pk) as tx:
        assert {*offers.hold_busted_entries(tx, [out, someone])} == {someone.pk}
    refused_again(tournament, other)


def refused_again(tournament: Tournament, entry: Entry) -> None:
    """Assert that a player is sold no entry, and that asking for one changes nothing."""
    before = held(entry.user), Entry.objects.count(), Tournament.objects.get().entrants
    assert not lobby_rows.of_tournament(Tournament.objects.get(), entry.user).may_register
    with pytest.raises(EntryBarred):
        registration.register(entry.user, tournament)
    after = held(entry.user), Entry.objects.count(), Tournament.objects.get().entrants
    assert after == before
