"""Disqualification of the only player with chips while others may buy again: one still wins."""

from __future__ import annotations

import pytest
from redis import Redis

from accounts.ledger import transfers
from tables.models import Seat
from tests.tournaments.buying.rebuy_scene import SMALL, dealt_in
from tests.tournaments.cast import BUY_IN, STACK, Arena, law
from tests.tournaments.entries.late_entries import late
from tests.tournaments.seating.short_tables import knocked_out
from tournaments.models import Entry, Offer, Ruling, Tournament
from tournaments.monitor import audit
from tournaments.prizes import money
from tournaments.running import forward, operations, rulings, sales, tick

LESS = 50
"""A stack below `SMALL`: who loses it in the same hand is placed behind."""


def _rich(players: int, **fields: object) -> tuple[Tournament, Arena, Entry]:
    """Disqualify the player with all the chips while the others have open re-entry offers."""
    tournament = late(players, entries_max=2, **fields)
    first, heir, *rest = Seat.objects.order_by("pk")
    Seat.objects.filter(pk=heir.pk).update(chips=STACK + len(rest) * (STACK - LESS))
    Seat.objects.filter(pk__in=[seat.pk for seat in rest]).update(chips=LESS)
    arena = dealt_in(tournament, first)
    entry = Entry.objects.get(pk=heir.entry)
    rulings.disqualify(entry.pk, actor=None, reason="why")
    [table] = arena.tables()
    arena.states[table] = knocked_out(arena.states[table], {SMALL, LESS})
    assert arena.step(table) == "settled"
    assert Offer.objects.filter(kind="reentry", state="open").count() == players - 1
    arena.step(table)
    return tournament, arena, entry


def _ended(tournament: Tournament, places: list[tuple[int, str]]) -> None:
    tournament.refresh_from_db()
    assert tournament.state == "finished" and audit.audit_tournaments(tournament.pk) == []
    assert sorted(tournament.entries.values_list("place", "state")) == places
    assert sum(tournament.entries.values_list("prize", flat=True)) == tournament.pool
    assert not Offer.objects.filter(state="open").exists() and transfers.total() == 0


@pytest.mark.rule("T-15")
@pytest.mark.rule("E-02")
@pytest.mark.parametrize("fields", [{}, {"bounty": 300}, {"time_up": "proportional"}])
def test_a_player_with_an_open_reentry_wins_after_the_last_stack_is_disqualified(
    house: Redis, fields: dict[str, object]
) -> None:
    if "time_up" in fields:
        fields |= {"play_time_ms": 3_600_000}
    tournament, _, rich = _rich(2, **fields)
    _ended(tournament, [(1, "won"), (2, "disqualified")])
    rich.refresh_from_db()
    assert (rich.dead_chips, rich.place) == (2 * STACK, 2)
    assert Ruling.objects.get().state == "done"


@pytest.mark.rule("T-15")
@pytest.mark.rule("T-07")
@pytest.mark.parametrize("how", ["at once", "one after the other"])
def test_without_a_reentry_the_last_busted_player_wins(house: Redis, how: str) -> None:
    tournament, _, _ = _rich(3)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.left) == ("running", 2)
    law(tournament.pk)
    better, worse = tournament.entries.filter(state="pending").order_by("-knock_out__stack")
    if how == "at once":
        Offer.objects.filter(state="open").update(until_ms=1)
        tick.tick(tournament.pk)
    else:
        offer = Offer.objects.select_related("entry__user").get(entry=worse, state="open")
        sales.answer(offer.entry.user, offer.pk, buy=False)
    _ended(tournament, [(1, "won"), (2, "disqualified"), (3, "out")])
    assert [Entry.objects.get(pk=one.pk).place for one in (better, worse)] == [1, 3]


@pytest.mark.rule("T-15")
def test_a_player_who_reenters_plays_on_and_the_others_are_out(house: Redis) -> None:
    tournament, _, _ = _rich(3)
    buyer, other = tournament.entries.filter(state="pending").order_by("knock_out__stack")
    offer = Offer.objects.select_related("entry__user").get(entry=buyer, state="open")
    sales.answer(offer.entry.user, offer.pk, buy=True)
    law(tournament.pk)
    Offer.objects.filter(state="open").update(until_ms=1)
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == "finished" and audit.audit_tournaments(tournament.pk) == []
    won = tournament.entries.get(place=1)
    assert won.user_id == buyer.user_id and won.pk != buyer.pk
    other.refresh_from_db()
    assert other.place == 3


@pytest.mark.rule("T-15")
@pytest.mark.parametrize("how", ["finished", "cancelled"])
def test_open_rulings_end_with_the_tournament(house: Redis, how: str) -> None:
    tournament = late(2)
    arena = dealt_in(tournament, Seat.objects.order_by("pk")[0])
    [table] = arena.tables()
    rich = Seat.objects.order_by("-chips")[0]
    rulings.disqualify(rich.entry, actor=None, reason="why")
    if how == "cancelled":
        operations.cancel(tournament.pk, reason="no")
    else:
        arena.states[table] = knocked_out(arena.states[table], {SMALL})
        arena.step(table)
    tournament.refresh_from_db()
    assert tournament.state == how and Ruling.objects.get().state == "void"


@pytest.mark.rule("T-15")
@pytest.mark.rule("T-12")
@pytest.mark.parametrize("shares", [[10_000], [6_000, 4_000]])
def test_cancelled_forward_players_without_chips_share_evenly(
    house: Redis, shares: list[int]
) -> None:
    rows = [{"fewest": 2, "most": 100, "shares": shares}]
    tournament, _, _ = _rich(3, bounty=300, payout_table=rows)
    left = tournament.entries.filter(state="pending").order_by("pk")
    users = [entry.user for entry in left.select_related("user")]
    had = [transfers.held_by(user) for user in users]
    entries, total = forward.forward_preview(tournament)
    operations.cancel_forward(tournament.pk, reason="flood")
    got = [transfers.held_by(user) - was for user, was in zip(users, had, strict=True)]
    assert entries == 2 and sum(got) == total, "with the head of the disqualified player"
    prizes = list(tournament.entries.filter(state="refunded").values_list("prize", flat=True))
    assert prizes == [3 * BUY_IN // 2] * 2
    assert transfers.balance(money.pool(tournament)) == 0 == transfers.total()
    assert transfers.balance(money.bounties(tournament)) == 0
