"""Bounties in database and ledger: paid in, won, kept, returned; the account ends at zero (N)."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as some
from redis import Redis

from accounts.ledger import promotions, transfers
from accounts.models import Transfer, User
from accounts.users import bots
from tests.samples import size
from tests.tournaments.cast import BUY_IN, FEE, Arena, open_offer
from tests.tournaments.entries.balances import balance_of, stored_values
from tests.tournaments.events.announced import events_of_type
from tests.tournaments.prizes.knockouts import BOUNTY, bounty_field, knock_out
from tournaments.entries import registration
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Entry, RoomBounty, Tournament
from tournaments.monitor import audit, audit_rows, report
from tournaments.prizes import bounties, money
from tournaments.refusals import RoomCannotPay
from tournaments.running import operations


def close(tournament: Tournament) -> None:
    """Close the bounties as the end of a tournament does."""
    with tournament_transaction(tournament.pk) as tx:
        bounties.fix_heads(tx)
        bounties.pay_heads(tx, tournament.entries.filter(bounties.owed(tournament)))


def held(tournament: Tournament) -> int:
    """Balance of the bounty account, in cents."""
    return transfers.balance(money.bounties(tournament))


@pytest.mark.rule("N-01")
def test_a_part_of_the_price_goes_on_the_head(house: Redis) -> None:
    tournament = open_offer(bounty=BOUNTY)
    player = bots.create(1)[0]
    had = balance_of(player)
    entry = registration.register(player, tournament)
    assert (entry.paid_bounty, entry.head) == (BOUNTY, BOUNTY)
    assert balance_of(player) == had - BUY_IN - BOUNTY - FEE
    assert held(tournament) == BOUNTY
    assert transfers.balance(money.pool(tournament)) == BUY_IN
    registration.unregister(player, tournament)
    assert balance_of(player) == had and held(tournament) == 0


@pytest.mark.rule("N-01")
def test_a_knock_out_pays_the_bounty_and_notifies_the_hunter(house: Redis) -> None:
    tournament, (hunter, victim, *_) = bounty_field(4)
    had = balance_of(hunter.user)
    knock_out(tournament, victim, [hunter])
    assert balance_of(hunter.user) == had + BOUNTY and held(tournament) == 3 * BOUNTY
    victim.refresh_from_db()
    assert (victim.head, victim.knock_out.bounties) == (0, [[hunter.pk, BOUNTY, 0]])
    (notice,) = events_of_type(f"user:{hunter.user_id}", "bounty")
    assert victim.name.encode() in notice and str(BOUNTY).encode() in notice
    assert events_of_type(tournament.member, "bounty_won")
    assert list(audit.bounties(audit_rows.of(tournament))) == []


def test_a_knock_out_pays_once_however_often_it_is_settled(house: Redis) -> None:
    tournament, (hunter, victim, *_) = bounty_field(3)
    knock_out(tournament, victim, [hunter])
    had = balance_of(hunter.user)
    with tournament_transaction(tournament.pk) as tx:
        bounties.collect(tx, [victim.pk])
    assert balance_of(hunter.user) == had


@pytest.mark.rule("N-01")
def test_a_split_pot_splits_the_bounty(house: Redis) -> None:
    tournament, (one, other, victim, *_) = bounty_field(4, bounty=501)
    before = balance_of(one.user), balance_of(other.user)
    knock_out(tournament, victim, [one, other])
    assert (balance_of(one.user), balance_of(other.user)) == (before[0] + 251, before[1] + 250)


@pytest.mark.rule("N-04")
@pytest.mark.parametrize(("odd_to_cash", "cash", "head"), [(True, 251, 751), (False, 250, 752)])
def test_a_progressive_knock_out_pays_a_part_and_puts_the_rest_on_the_head(
    house: Redis, odd_to_cash: bool, cash: int, head: int
) -> None:
    tournament, (hunter, victim, last) = bounty_field(
        3, bounty=501, progressive_bp=5_000, bounty_odd_to_cash=odd_to_cash
    )
    had = balance_of(hunter.user)
    knock_out(tournament, victim, [hunter])
    hunter.refresh_from_db()
    assert (balance_of(hunter.user) - had, hunter.head) == (cash, head)
    assert bounties.heads(tournament) == {hunter.pk: head}
    had = balance_of(last.user)
    knock_out(tournament, hunter, [last])
    last.refresh_from_db()
    assert balance_of(last.user) - had + last.head == 501 + head


@pytest.mark.rule("N-04")
def test_the_head_part_of_a_busted_hunter_is_paid_in_cash(house: Redis) -> None:
    tournament, (hunter, victim, other) = bounty_field(3, progressive_bp=5_000)
    knock_out(tournament, hunter, [other])
    had = balance_of(hunter.user)
    knock_out(tournament, victim, [hunter])
    hunter.refresh_from_db()
    assert balance_of(hunter.user) == had + BOUNTY and hunter.head == 0


@pytest.mark.rule("N-05")
def test_a_merged_hunter_wins_for_the_surviving_entry(house: Redis) -> None:
    tournament, (into, merged, victim, *_) = bounty_field(4, progressive_bp=5_000)
    Entry.objects.filter(pk=merged.pk).update(
        state=Entry.State.MERGED, merged_into=into, head=0, user=into.user_id
    )
    Entry.objects.filter(pk=into.pk).update(head=2 * BOUNTY)
    had = balance_of(into.user)
    knock_out(tournament, victim, [merged])
    into.refresh_from_db()
    assert balance_of(into.user) == had + BOUNTY // 2
    assert into.head == 2 * BOUNTY + BOUNTY // 2


@pytest.mark.rule("E-08")
def test_a_merged_entry_leaves_no_bounty(house: Redis) -> None:
    tournament, (_, merged, *_) = bounty_field(3)
    before = Transfer.objects.count()
    with tournament_transaction(tournament.pk) as tx:
        bounties.collect(tx, [merged.pk])
    assert Transfer.objects.count() == before and held(tournament) == 3 * BOUNTY


@pytest.mark.rule("N-02")
@pytest.mark.rule("N-03")
@pytest.mark.rule("N-04")
def test_the_room_pays_for_chosen_and_pro_players_in_full(house: Redis) -> None:
    tournament, (hunter, victim, *_) = bounty_field(3, progressive_bp=5_000, pro_bounty=2_000)
    User.objects.filter(pk=victim.user_id).update(is_pro=True)
    RoomBounty.objects.create(tournament=tournament, user=victim.user, amount=1_000)
    assert bounties.heads(tournament) == {victim.pk: BOUNTY + 3_000}
    had, room = balance_of(hunter.user), transfers.balance(money.room())
    knock_out(tournament, victim, [hunter])
    hunter.refresh_from_db()
    assert balance_of(hunter.user) == had + BOUNTY // 2 + 3_000
    assert transfers.balance(money.room()) == room - 3_000
    assert hunter.head == BOUNTY + BOUNTY // 2
    assert RoomBounty.objects.get().paid
    assert bounties.paid_by_room(tournament) == 3_000
    assert report.build(tournament.pk)["bounties"] == {
        "paid": 3 * BOUNTY,
        "won": BOUNTY // 2 + 3_000,
        "by_room": 3_000,
    }


@pytest.mark.rule("N-06")
def test_bounties_collected_to_the_end_are_paid_then(house: Redis) -> None:
    tournament, (winner, first, second) = bounty_field(3, bounties_at_end=True, pro_bounty=2_000)
    User.objects.filter(pk=second.user_id).update(is_pro=True)
    before = {entry.pk: balance_of(entry.user) for entry in (winner, first, second)}
    knock_out(tournament, first, [second])
    knock_out(tournament, second, [winner])
    assert {entry.pk: balance_of(entry.user) for entry in (winner, first, second)} == before
    assert held(tournament) == 3 * BOUNTY + 2_000
    Entry.objects.filter(pk=winner.pk).update(state=Entry.State.WON, place=1)
    close(tournament)
    assert balance_of(winner.user) == before[winner.pk] + 2 * BOUNTY + 2_000
    assert balance_of(second.user) == before[second.pk] + BOUNTY
    assert held(tournament) == 0


@pytest.mark.rule("N-07")
@pytest.mark.rule("T-15")
def test_the_winner_keeps_the_own_bounty_and_takes_unclaimed_ones(house: Redis) -> None:
    tournament, (winner, out, bad) = bounty_field(3)
    Entry.objects.filter(pk=bad.pk).update(state=Entry.State.DISQUALIFIED, place=3)
    knock_out(tournament, out, [winner])
    had = balance_of(winner.user)
    Entry.objects.filter(pk=winner.pk).update(state=Entry.State.WON, place=1)
    close(tournament)
    assert balance_of(winner.user) == had + 2 * BOUNTY and held(tournament) == 0


@pytest.mark.rule("N-07")
def test_after_a_deal_every_remaining_player_keeps_the_own_bounty(house: Redis) -> None:
    tournament, entries = bounty_field(3, progressive_bp=5_000)
    one, other, out = entries
    knock_out(tournament, out, [one])
    before = balance_of(one.user), balance_of(other.user)
    close(tournament)
    assert (balance_of(one.user), balance_of(other.user)) == (
        before[0] + BOUNTY + BOUNTY // 2,
        before[1] + BOUNTY,
    )
    assert held(tournament) == 0


@pytest.mark.rule("T-12")
@pytest.mark.parametrize("progressive", [10_000, 5_000])
def test_rolling_back_returns_all_bounties_and_the_room_covers_those_won(
    house: Redis, progressive: int
) -> None:
    tournament, entries = bounty_field(3, progressive_bp=progressive)
    hunter, victim, _ = entries
    before = [balance_of(entry.user) for entry in entries]
    knock_out(tournament, victim, [hunter])
    won = BOUNTY * progressive // 10_000
    assert bounties.won_from_heads(tournament) == won
    free = promotions.free()
    operations.cancel(tournament.pk, reason="fault")
    paid = BUY_IN + BOUNTY + FEE
    assert [balance_of(entry.user) for entry in entries] == [
        before[0] + paid + won,
        before[1] + paid,
        before[2] + paid,
    ]
    assert promotions.free() == free - won
    assert held(tournament) == 0 and transfers.total() == 0
    operations.cancel(tournament.pk, reason="again")
    assert promotions.free() == free - won


@pytest.mark.rule("T-12")
def test_bounties_the_room_cannot_cover_are_not_rolled_back(house: Redis) -> None:
    tournament, (hunter, victim, *_) = bounty_field(3)
    knock_out(tournament, victim, [hunter])
    promotions.fund(1 - promotions.free(), reason="audit", token="all-but-one")
    before = stored_values(tournament)
    with pytest.raises(RoomCannotPay) as refused:
        operations.cancel(tournament.pk, reason="fault")
    assert refused.value.allowed == {"needed": BOUNTY, "free": 1}
    assert stored_values(tournament) == before
    operations.cancel_forward(tournament.pk, reason="fault")


@pytest.mark.rule("T-12")
def test_rolling_back_returns_bounties_and_room_bounties(house: Redis) -> None:
    tournament, (hunter, victim, *_) = bounty_field(3, bounties_at_end=True, pro_bounty=2_000)
    User.objects.filter(pk=victim.user_id).update(is_pro=True)
    room = transfers.balance(money.room())
    knock_out(tournament, victim, [hunter])
    before = balance_of(victim.user)
    operations.cancel(tournament.pk, reason="fault")
    assert balance_of(victim.user) == before + BUY_IN + BOUNTY + FEE
    assert held(tournament) == 0 and transfers.balance(money.room()) == room
    assert transfers.total() == 0


@pytest.mark.rule("T-12")
def test_cancelling_forward_leaves_every_remaining_player_the_own_bounty(house: Redis) -> None:
    tournament, (hunter, victim, other) = bounty_field(3)
    knock_out(tournament, victim, [hunter])
    Tournament.objects.filter(pk=tournament.pk).update(left=2)
    had = balance_of(other.user)
    operations.cancel_forward(tournament.pk, reason="fault")
    assert held(tournament) == 0 and transfers.balance(money.pool(tournament)) == 0
    assert balance_of(other.user) >= had + BOUNTY


@pytest.mark.rule("N-01")
@pytest.mark.rule("N-07")
@pytest.mark.parametrize(
    ("options", "seed"),
    [
        ({}, 1),
        ({"progressive_bp": 5_000}, 2),
        ({"progressive_bp": 3_333, "bounty": 777, "bounties_at_end": True}, 3),
        ({"bounty": 0, "pro_bounty": 300}, 4),
    ],
)
def test_a_whole_tournament_pays_every_head(
    house: Redis, options: dict[str, object], seed: int
) -> None:
    tournament = open_offer(players_max=9, seats_per_table=4, **({"bounty": BOUNTY} | options))
    players = bots.create(9)
    User.objects.filter(pk__in=[player.pk for player in players[:3]]).update(is_pro=True)
    for player in players:
        registration.register(player, tournament)
    operations.start(tournament.pk)
    Arena(tournament.pk, seed).run()
    assert audit.audit_tournaments(tournament.pk) == []
    made = report.build(tournament.pk)["bounties"]
    assert made["won"] == made["paid"] + made["by_room"]
    assert held(tournament) == 0 and transfers.total() == 0


@pytest.mark.rule("N-01")
@pytest.mark.rule("N-04")
@pytest.mark.rule("N-05")
@pytest.mark.rule("N-06")
@pytest.mark.rule("N-07")
@settings(
    max_examples=size(5, 12),
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    bounty=some.integers(1, 999),
    progressive_bp=some.integers(0, 10_000),
    odd_to_cash=some.booleans(),
    at_end=some.booleans(),
    course=some.lists(some.tuples(some.integers(0, 9), some.sets(some.integers(0, 9)))),
    pro=some.sets(some.integers(0, 5)),
)
def test_bounties_paid_in_equal_bounties_paid_out(
    house: Redis,
    bounty: int,
    progressive_bp: int,
    odd_to_cash: bool,
    at_end: bool,
    course: list[tuple[int, set[int]]],
    pro: set[int],
) -> None:
    tournament, entries = bounty_field(
        6,
        bounty=bounty,
        progressive_bp=progressive_bp,
        bounty_odd_to_cash=odd_to_cash,
        bounties_at_end=at_end,
        pro_bounty=123,
    )
    User.objects.filter(pk__in=[entries[at].user_id for at in pro]).update(is_pro=True)
    live = list(entries)
    for who, by in course:
        if len(live) < 2:
            break
        victim = live.pop(who % len(live))
        chosen = {live[at % len(live)].pk: live[at % len(live)] for at in by or {0}}
        knock_out(tournament, victim, list(chosen.values()))
        assert list(audit.bounties(audit_rows.of(tournament))) == []
    close(tournament)
    sums = report.build(tournament.pk)["bounties"]
    assert sums["won"] == sums["paid"] + sums["by_room"]
    assert held(tournament) == 0 and transfers.total() == 0
