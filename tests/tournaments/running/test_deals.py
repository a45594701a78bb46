"""Deals: proposed at the final table, voted on between two hands, paid at once or dropped."""

from __future__ import annotations

import random

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.ledger import transfers
from accounts.models import User
from accounts.users import bots
from config import clock
from tables.models import Seat, Table
from tests.tournaments.api.asking import by_session, refused
from tests.tournaments.cast import STACK, Arena, passive, places_of, shove, started
from tests.tournaments.entries.late_entries import late, pass_time
from tests.tournaments.events.announced import events_of_type, tournament_event_types
from tests.tournaments.running.earlier_start import MINUTE_MS, outage_passes, time_passes
from tests.tournaments.running.final_table import FinalTable
from tests.tournaments.running.finished import assert_finished
from tournaments import chips_in_play
from tournaments.engine import deals as rules
from tournaments.models import Announcement, Deal, Entry
from tournaments.pages import deal_panel
from tournaments.prizes import deal_field, money
from tournaments.refusals import DealPending
from tournaments.running import deals, operations, tick

HTMX = {"HX-Request": "true"}
"""Header of requests that the panel makes."""


@pytest.mark.rule("Y-02")
@pytest.mark.parametrize("deal_by_chips", ["within_prizes", "by_chips_alone"])
def test_a_deal_by_chips_is_shared_as_the_tournament_sets_it(
    house: Redis, client: Client, deal_by_chips: str
) -> None:
    final = FinalTable(5, deal_by_chips=deal_by_chips)
    tournament = final.tournament
    stacks = dict.fromkeys(tournament.entries.values_list("pk", flat=True), 100)
    leader = min(stacks)
    stacks[leader] = 9_000
    shares = {share[0]: share[1] for share in deal_field.shares(tournament, "chips", stacks)}
    assert sum(shares.values()) == sum(tournament.prizes)
    capped = deal_by_chips == "within_prizes"
    assert (shares[leader] == tournament.prizes[0]) is capped
    page = client.get(reverse("tournament", args=[tournament.pk]) + "?tab=rules").content.decode()
    assert ("nobody gets more than the first prize" in page) is capped
    assert ("all of it goes in proportion" in page) is not capped


@pytest.mark.rule("T-07")
@pytest.mark.parametrize(("button", "order"), [(2, [3, 4, 1, 2]), (4, [1, 2, 3, 4])])
def test_equal_stacks_stand_from_the_left_of_the_button(
    house: Redis, button: int, order: list[int]
) -> None:
    tournament = FinalTable(4).tournament
    Table.objects.filter(game=tournament.pk).update(button=button)
    Seat.objects.update(chips=100)
    seats = dict(Seat.objects.values_list("entry", "seat"))
    assert [seats[entry] for entry in chips_in_play.by_entry(tournament)] == order


@pytest.mark.rule("Y-01")
@pytest.mark.rule("Y-02")
@pytest.mark.rule("Y-03")
@pytest.mark.parametrize("kind", rules.KINDS)
def test_a_unanimous_vote_ends_the_tournament_at_once(house: Redis, kind: str) -> None:
    final = FinalTable()
    for _ in range(7):
        final.arena.step(final.table)
    deal = final.opened(kind)
    tournament = final.tournament
    stacks = dict(Seat.objects.values_list("entry", "chips"))
    assert dict(deal.stacks) == stacks and sum(dict(deal.shares).values()) == tournament.pool
    chips = [amount for _, amount in deal.stacks]
    assert chips == sorted(chips, reverse=True)
    expected = rules.shares(kind, chips, [p for p in tournament.prizes[:4] if p])  # type: ignore[arg-type]
    assert [share for _, share in deal.shares] == expected
    assert tournament.stops == ["deal"], "the clock is stopped during a vote"
    for user in final.users[1:]:
        assert final.arena.step(final.table) == "deal"
        deals.vote(user, deal.tournament_id, deal.pk, yes=True)
    assert_finished(tournament)
    paid = dict(Entry.objects.values_list("pk", "prize"))
    assert paid == dict(deal.shares)
    ranked = Entry.objects.order_by("place").values_list("pk", flat=True)
    assert [stacks[entry] for entry in ranked] == chips, "dealt places go by chips"
    assert tournament_event_types(tournament)[-2:] == ["deal_agreed", "finished"]
    assert final.arena.step(final.table) == "close"


@pytest.mark.rule("Y-01")
@pytest.mark.rule("Y-03")
def test_one_no_drops_the_deal_and_the_table_plays_on(house: Redis) -> None:
    final = FinalTable()
    assert final.arena.step(final.table) == "grant"
    deal = deals.propose(final.users[0], final.tournament.pk, "equal")
    assert deal.state == "asked"
    assert final.arena.step(final.table) == "hand" and final.arena.step(final.table) == "settled"
    assert final.arena.step(final.table) == "deal", "play pauses after the hand"
    deals.vote(final.users[1], deal.tournament_id, deal.pk, yes=True)
    deals.vote(final.users[2], deal.tournament_id, deal.pk, yes=False)
    deal.refresh_from_db()
    assert deal.state == "refused" and deal.closed_at is not None
    final.tournament.refresh_from_db()
    assert final.tournament.state == "running" and final.tournament.stops == []
    assert tournament_event_types(final.tournament)[-1] == "deal_refused"
    assert final.arena.step(final.table) == "grant"
    final.refuse(
        "deal_over", lambda: deals.vote(final.users[3], deal.tournament_id, deal.pk, yes=True)
    )
    final.refuse(
        "deal_refused_before",
        lambda: deals.propose(final.users[0], final.tournament.pk, "chips"),
    )
    final.arena.choose = shove
    final.arena.run()
    assert_finished(final.tournament)


@pytest.mark.rule("Y-03")
@pytest.mark.rule("L-05")
def test_a_deal_proposed_in_a_break_is_voted_on_at_once(house: Redis) -> None:
    final = FinalTable()
    tick.tick(final.tournament.pk)
    time_passes(final.tournament, 46 * MINUTE_MS)
    assert final.arena.step(final.table) == "break"
    deal = deals.propose(final.users[0], final.tournament.pk, "equal")
    assert final.arena.step(final.table) == "deal"
    final.tournament.refresh_from_db()
    assert final.tournament.stops == ["deal"]
    deals.vote(final.users[1], deal.tournament_id, deal.pk, yes=False)
    assert final.arena.step(final.table) == "break", "the break goes on"
    time_passes(final.tournament, 5 * MINUTE_MS)
    assert final.arena.step(final.table) == "grant"


@pytest.mark.rule("Y-01")
@pytest.mark.parametrize("by", ["tick", "table"])
def test_the_clock_of_a_vote_ends_it(house: Redis, by: str) -> None:
    final = FinalTable()
    deal = final.opened()
    tick.tick(final.tournament.pk)
    Deal.objects.filter(pk=deal.pk).update(until_ms=clock.database_now_ms() - 1)
    final.refuse(
        "deal_over", lambda: deals.vote(final.users[1], deal.tournament_id, deal.pk, yes=True)
    )
    if by == "tick":
        tick.tick(final.tournament.pk)
    else:
        assert final.arena.step(final.table) == "grant"
    deal.refresh_from_db()
    assert deal.state == "refused"
    final.tournament.refresh_from_db()
    assert final.tournament.stops == []


@pytest.mark.rule("T-13")
@pytest.mark.rule("Y-01")
@pytest.mark.parametrize("first", ["tick", "table"])
def test_an_outage_takes_no_time_off_a_vote(house: Redis, first: str) -> None:
    final = FinalTable()
    tick.tick(final.tournament.pk)
    deal = final.opened()
    voter = final.users[1]
    deals.vote(voter, deal.tournament_id, deal.pk, yes=True)
    until_ms = deal.until_ms
    outage_passes(final.tournament, MINUTE_MS)
    if first == "table":
        assert final.arena.step(final.table) == "deal"
    tick.tick(final.tournament.pk)
    deal.refresh_from_db()
    assert deal.state == "open"
    latest_ms = clock.database_now_ms() + final.tournament.deal_vote_ms
    assert until_ms <= deal.until_ms <= latest_ms
    assert tournament_event_types(final.tournament).count("deal_opened") == 2
    asked = [len(events_of_type(f"user:{user.pk}", "deal_vote")) for user in final.users]
    assert asked == [0, 1, 2, 2], "who has not voted is told the later end"
    for user in final.users[2:]:
        deals.vote(user, deal.tournament_id, deal.pk, yes=True)
    assert_finished(final.tournament)


@pytest.mark.rule("Y-01")
def test_votes_of_other_users_and_changed_votes_are_refused(house: Redis) -> None:
    final = FinalTable()
    stranger = bots.create(6)[-1]
    tournament = final.tournament.pk
    final.refuse("not_in_deal", lambda: deals.propose(stranger, tournament, "icm"))
    final.refuse("unknown_deal", lambda: deals.propose(final.users[0], tournament, "half"))
    final.refuse("deal_over", lambda: deals.vote(final.users[0], tournament, 10**9, yes=True))
    deal = final.opened()
    final.refuse("deal_pending", lambda: deals.propose(final.users[1], tournament, "icm"))
    final.refuse("not_in_deal", lambda: deals.vote(stranger, tournament, deal.pk, yes=True))
    final.refuse("deal_over", lambda: deals.vote(final.users[1], tournament + 1, deal.pk, yes=True))
    deals.vote(final.users[1], deal.tournament_id, deal.pk, yes=True)
    before = final.shape()
    deals.vote(final.users[1], deal.tournament_id, deal.pk, yes=True)
    assert final.shape() == before, "a repeated vote counts once"
    final.refuse(
        "voted_already", lambda: deals.vote(final.users[1], tournament, deal.pk, yes=False)
    )


@pytest.mark.rule("Y-01")
def test_a_busted_player_has_no_vote(house: Redis) -> None:
    final = FinalTable(6, payout_preset="wide")
    final.arena.choose = shove
    while Entry.objects.filter(state="out").count() == 0:
        final.arena.step(final.table)
    out = Entry.objects.filter(state="out").first()
    assert out is not None
    final.arena.choose = passive
    final.refuse("not_in_deal", lambda: deals.propose(out.user, final.tournament.pk, "icm"))
    deal = final.opened()
    final.refuse("not_in_deal", lambda: deals.vote(out.user, deal.tournament_id, deal.pk, yes=True))


@pytest.mark.rule("Y-01")
@pytest.mark.parametrize(
    "fields", [{"deals_allowed": False}, {"seats_per_table": 2}, {"buy_in": 0, "fee": 0}]
)
def test_a_deal_needs_permission_a_final_table_and_unpaid_prizes(
    house: Redis, fields: dict[str, object]
) -> None:
    final = FinalTable(**fields)  # type: ignore[arg-type]
    final.refuse("no_deals", lambda: deals.propose(final.users[0], final.tournament.pk, "icm"))
    assert deal_panel.of(final.tournament, final.users[0]) is None


@pytest.mark.rule("Y-03")
def test_a_deal_with_outdated_stacks_is_dropped(house: Redis) -> None:
    final = FinalTable()
    deal = final.opened()
    first, second = Seat.objects.order_by("seat")[:2]
    Seat.objects.filter(pk=first.pk).update(chips=first.chips - 1)
    Seat.objects.filter(pk=second.pk).update(chips=second.chips + 1)
    final.refuse(
        "deal_over", lambda: deals.vote(final.users[1], deal.tournament_id, deal.pk, yes=True)
    )
    tick.tick(final.tournament.pk)
    deal.refresh_from_db()
    assert deal.state == "refused"


@pytest.mark.rule("Y-01")
@pytest.mark.rule("T-12")
@pytest.mark.parametrize("state", ["asked", "open"])
def test_a_cancelled_tournament_leaves_no_vote_behind(house: Redis, state: str) -> None:
    final = FinalTable()
    if state == "open":
        deal = final.opened()
    else:
        deal = deals.propose(final.users[0], final.tournament.pk, "icm")
    users = final.users
    operations.cancel_forward(final.tournament.pk, reason="storm")
    deal.refresh_from_db()
    assert deal.state == "refused"
    final.refuse("not_in_deal", lambda: deals.vote(users[1], deal.tournament_id, deal.pk, yes=True))
    assert transfers.balance(money.pool(final.tournament)) == 0


@pytest.mark.rule("Y-01")
@pytest.mark.rule("Z-04")
@pytest.mark.parametrize("seed", range(4))
def test_a_crash_at_the_last_yes_changes_nothing(house: Redis, seed: int) -> None:
    """The transaction of a vote breaks off at random; the vote is then repeated once."""
    final = FinalTable()
    deal = final.opened()
    chance = random.Random(seed)
    for user in final.users[1:]:
        while chance.random() < 0.5:
            before = final.shape()
            with pytest.raises(RuntimeError):
                killed_after_vote(user, deal)
            assert final.shape() == before
        deals.vote(user, deal.tournament_id, deal.pk, yes=True)
    assert_finished(final.tournament)


@transaction.atomic
def killed_after_vote(user: User, deal: Deal) -> None:
    """Vote in a transaction that is not committed."""
    deals.vote(user, deal.tournament_id, deal.pk, yes=True)
    raise RuntimeError("killed")


@pytest.mark.rule("Y-01")
@pytest.mark.rule("N-07")
def test_after_a_deal_every_player_keeps_the_own_bounty(house: Redis) -> None:
    final = FinalTable(bounty=500)
    deal = final.opened("chips")
    for user in final.users[1:]:
        deals.vote(user, deal.tournament_id, deal.pk, yes=True)
    assert_finished(final.tournament)
    assert list(Entry.objects.values_list("bounties_won", flat=True)) == [500] * 4


@pytest.mark.rule("Y-02")
def test_pages_propose_show_and_vote_on_a_deal(house: Redis) -> None:
    final = FinalTable()
    clients = {user.pk: Client() for user in final.users}
    for user in final.users:
        clients[user.pk].force_login(user)
    tournament, (first, second, *_) = final.tournament.pk, final.users
    panel = reverse("deal", args=[tournament])
    shown = clients[first.pk].get(panel).content.decode()
    assert shown.count("deal/propose/") == 2 and first.name in shown
    watched = Client().get(panel).content.decode()
    assert first.name in watched and "deal/propose/" not in watched
    deals_of = f"/tournaments/{tournament}/deals"
    refused(by_session(clients[first.pk], deals_of, {"kind": "?"}), 409, "unknown_deal")
    refused(by_session(Client(), deals_of, {"kind": "icm"}), 401, "invalid_token")
    propose = reverse("deal_propose", args=[tournament])
    said = Client().post(propose, {"kind": "icm"}, headers=HTMX)
    assert "Please log in first." in said.content.decode() and not Deal.objects.exists()
    said = clients[first.pk].post(propose, {"kind": "icm"}, headers=HTMX)
    assert said.status_code == 200 and first.name in said.content.decode()
    plain = clients[second.pk].post(propose, {"kind": "icm"})
    assert plain.headers["Location"] == reverse("tournament", args=[tournament]), "a whole page"
    page = clients[second.pk].get(plain.headers["Location"]).content.decode()
    assert str(DealPending.sentence) in page and Deal.objects.count() == 1
    while final.arena.step(final.table) != "deal":
        pass
    deal = Deal.objects.get()
    address = reverse("deal_vote", args=[tournament, deal.pk])
    assert address in clients[second.pk].get(panel).content.decode()
    assert address not in clients[first.pk].get(panel).content.decode(), "voted already"
    for user in final.users[1:]:
        vote = by_session(clients[user.pk], f"{deals_of}/{deal.pk}/votes", {"yes": True})
        assert vote.json()["code"] == "deal_voted"
    assert_finished(final.tournament)
    assert clients[first.pk].get(panel).content.decode().strip() == ""


@pytest.mark.rule("Y-01")
def test_a_gathered_final_table_is_notified_that_it_may_deal(house: Redis) -> None:
    tournament = started(6, seats_per_table=3, deals_allowed=True, payout_preset="wide")
    arena = Arena(tournament.pk, 3)
    for _ in range(4_000):
        tournament.refresh_from_db()
        if tournament.final_table or tournament.state == "finished":
            break
        arena.step(arena.chance.choice(arena.tables()))
    assert tournament.final_table
    notices = Announcement.objects.filter(stream__startswith="user:")
    heard = [row for row in notices if b"deals_open" in bytes(row.payload)]
    assert len(heard) == tournament.left > 1
    seated = [seat.user for seat in Seat.objects.select_related("user")]
    deal = deals.propose(seated[0], tournament.pk, "chips")
    arena.choose = passive
    while Deal.objects.get().state == "asked":
        arena.step(arena.chance.choice(arena.tables()))
    for user in seated[1:]:
        deals.vote(user, deal.tournament_id, deal.pk, yes=True)
    assert_finished(tournament)
    places = [place for place, _ in places_of(tournament.pk)]
    assert len(places) == 6 and sum(STACK for _ in places) == tournament.chips_at_end


@pytest.mark.rule("Y-01")
@pytest.mark.rule("E-07")
def test_a_single_table_is_notified_that_it_may_deal_once_its_sales_are_over(house: Redis) -> None:
    tournament = late(4, seats_per_table=9, deals_allowed=True, payout_preset="wide")
    users = [seat.user for seat in Seat.objects.select_related("user").order_by("seat")]

    def heard() -> list[int]:
        return [len(events_of_type(f"user:{user.pk}", "deals_open")) for user in users]

    tick.tick(tournament.pk)
    assert heard() == [0, 0, 0, 0], "the prizes are not certain yet"
    pass_time(tournament, 15)
    assert heard() == [1, 1, 1, 1]
    assert deals.propose(users[0], tournament.pk, "icm").state == "asked"


@pytest.mark.rule("Y-02")
def test_shares_divide_the_unpaid_prizes_of_the_remaining_players(house: Redis) -> None:
    final = FinalTable(3)
    tables = Table.objects.filter(game=final.tournament.pk)
    assert tables.count() == 1
    stacks = dict(Seat.objects.values_list("entry", "chips"))
    final.tournament.refresh_from_db()
    for kind in rules.KINDS:
        shared = deal_field.shares(final.tournament, kind, stacks)
        assert sum(share for _, share in shared) == sum(deal_field.unpaid(final.tournament))
