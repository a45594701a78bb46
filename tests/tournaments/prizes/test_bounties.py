"""Bounties through the shell: paid in, won, kept, given back; the account ends at zero (N)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as some
from redis import Redis

from accounts.ledger import promotions, transfers
from accounts.models import Transfer, User
from accounts.users import bots
from tables.models import Table
from tests.tournaments.cast import BUY_IN, FEE, Arena, open_offer, started
from tests.tournaments.entries.test_registration import facts, wealth
from tournaments.entries import registration
from tournaments.events.outbox import Outbox
from tournaments.locks import tournament as locked
from tournaments.models import Announcement, Entry, KnockOut, RoomBounty, Tournament
from tournaments.monitor import audit, audit_rows, report
from tournaments.prizes import bounties, money
from tournaments.prizes.money import Payments
from tournaments.refusals import RoomCannotPay
from tournaments.running import operations

BOUNTY = 500


def knock_out(tournament: Tournament, victim: Entry, hunters: Sequence[Entry]) -> None:
    """Take an entry out of play as a hand does, as far as bounties are concerned."""
    order = KnockOut.objects.filter(tournament=tournament).count() + 1
    KnockOut.objects.create(
        tournament=tournament,
        entry=victim,
        order=order,
        round=0,
        table_id=_table(tournament),
        hand=order,
        stack=100,
        button_distance=1,
        winners=[[hunter.pk, 50] for hunter in hunters],
    )
    Entry.objects.filter(pk=victim.pk).update(state=Entry.State.OUT)
    with transaction.atomic():
        row = locked(tournament.pk)
        payments, outbox = Payments(), Outbox()
        bounties.collect(row, [victim.pk], payments, outbox)
        payments.book()
        outbox.write()


def close(tournament: Tournament) -> None:
    """The tournament ends, as far as bounties are concerned."""
    with transaction.atomic():
        payments, outbox = Payments(), Outbox()
        bounties.close(locked(tournament.pk), payments, outbox)
        payments.book()
        outbox.write()


def _table(tournament: Tournament) -> int:
    return Table.objects.filter(game=tournament.pk).values_list("pk", flat=True)[0]


def field(players: int, **fields: object) -> tuple[Tournament, list[Entry]]:
    """A running bounty tournament and its entries."""
    tournament = started(players, **({"bounty": BOUNTY} | fields))
    return tournament, list(tournament.entries.select_related("user").order_by("pk"))


def held(tournament: Tournament) -> int:
    """What the bounty account holds, in cents."""
    return transfers.balance(money.bounties(tournament))


def news(stream: str, kind: str) -> list[bytes]:
    """What was told of one kind on a stream."""
    rows = Announcement.objects.filter(stream=stream).order_by("seq")
    told = [bytes(payload) for payload in rows.values_list("payload", flat=True)]
    return [payload for payload in told if f'"{kind}"'.encode() in payload]


@pytest.mark.rule("N-01")
def test_the_price_has_a_part_that_goes_on_the_head(house: Redis) -> None:
    tournament = open_offer(bounty=BOUNTY)
    player = bots.create(1)[0]
    had = wealth(player)
    entry = registration.register(player, tournament)
    assert (entry.paid_bounty, entry.head) == (BOUNTY, BOUNTY)
    assert wealth(player) == had - BUY_IN - BOUNTY - FEE
    assert held(tournament) == BOUNTY
    assert transfers.balance(money.pool(tournament)) == BUY_IN
    registration.unregister(player, tournament)
    assert wealth(player) == had and held(tournament) == 0


@pytest.mark.rule("N-01")
def test_who_knocks_out_wins_the_head_and_hears_of_it(house: Redis) -> None:
    tournament, (hunter, victim, *_) = field(4)
    had = wealth(hunter.user)
    knock_out(tournament, victim, [hunter])
    assert wealth(hunter.user) == had + BOUNTY and held(tournament) == 3 * BOUNTY
    victim.refresh_from_db()
    assert (victim.head, victim.knock_out.bounties) == (0, [[hunter.pk, BOUNTY, 0]])
    (notice,) = news(f"user:{hunter.user_id}", "bounty")
    assert victim.name.encode() in notice and str(BOUNTY).encode() in notice
    assert news(tournament.member, "bounty_won")
    assert list(audit.bounties(audit_rows.of(tournament))) == []


def test_a_knock_out_pays_once_however_often_it_is_settled(house: Redis) -> None:
    tournament, (hunter, victim, *_) = field(3)
    knock_out(tournament, victim, [hunter])
    had = wealth(hunter.user)
    with transaction.atomic():
        payments = Payments()
        bounties.collect(locked(tournament.pk), [victim.pk], payments, Outbox())
        payments.book()
    assert wealth(hunter.user) == had


@pytest.mark.rule("N-01")
def test_a_split_pot_splits_the_bounty(house: Redis) -> None:
    tournament, (one, other, victim, *_) = field(4, bounty=501)
    before = wealth(one.user), wealth(other.user)
    knock_out(tournament, victim, [one, other])
    assert (wealth(one.user), wealth(other.user)) == (before[0] + 251, before[1] + 250)


@pytest.mark.rule("N-04")
@pytest.mark.parametrize(("odd_to_cash", "cash", "head"), [(True, 251, 751), (False, 250, 752)])
def test_a_progressive_knock_out_pays_a_part_and_puts_the_rest_on_the_head(
    house: Redis, odd_to_cash: bool, cash: int, head: int
) -> None:
    tournament, (hunter, victim, last) = field(
        3, bounty=501, progressive_bp=5_000, bounty_odd_to_cash=odd_to_cash
    )
    had = wealth(hunter.user)
    knock_out(tournament, victim, [hunter])
    hunter.refresh_from_db()
    assert (wealth(hunter.user) - had, hunter.head) == (cash, head)
    assert bounties.heads(tournament) == {hunter.pk: head}
    had = wealth(last.user)
    knock_out(tournament, hunter, [last])
    last.refresh_from_db()
    assert wealth(last.user) - had + last.head == 501 + head


@pytest.mark.rule("N-04")
def test_the_head_part_of_a_hunter_who_is_out_himself_is_paid_to_him(house: Redis) -> None:
    tournament, (hunter, victim, other) = field(3, progressive_bp=5_000)
    knock_out(tournament, hunter, [other])
    had = wealth(hunter.user)
    knock_out(tournament, victim, [hunter])
    hunter.refresh_from_db()
    assert wealth(hunter.user) == had + BOUNTY and hunter.head == 0


@pytest.mark.rule("N-05")
def test_a_merged_hunter_wins_for_the_entry_he_lives_on_in(house: Redis) -> None:
    tournament, (into, merged, victim, *_) = field(4, progressive_bp=5_000)
    Entry.objects.filter(pk=merged.pk).update(
        state=Entry.State.MERGED, merged_into=into, head=0, user=into.user_id
    )
    Entry.objects.filter(pk=into.pk).update(head=2 * BOUNTY)
    had = wealth(into.user)
    knock_out(tournament, victim, [merged])
    into.refresh_from_db()
    assert wealth(into.user) == had + BOUNTY // 2
    assert into.head == 2 * BOUNTY + BOUNTY // 2


@pytest.mark.rule("E-08")
def test_a_merged_entry_leaves_no_bounty(house: Redis) -> None:
    tournament, (_, merged, *_) = field(3)
    before = Transfer.objects.count()
    with transaction.atomic():
        payments = Payments()
        bounties.collect(locked(tournament.pk), [merged.pk], payments, Outbox())
        payments.book()
    assert Transfer.objects.count() == before and held(tournament) == 3 * BOUNTY


@pytest.mark.rule("N-02")
@pytest.mark.rule("N-03")
@pytest.mark.rule("N-04")
def test_the_room_pays_for_chosen_and_pro_players_in_full(house: Redis) -> None:
    tournament, (hunter, victim, *_) = field(3, progressive_bp=5_000, pro_bounty=2_000)
    User.objects.filter(pk=victim.user_id).update(is_pro=True)
    RoomBounty.objects.create(tournament=tournament, user=victim.user, amount=1_000)
    assert bounties.heads(tournament) == {victim.pk: BOUNTY + 3_000}
    had, room = wealth(hunter.user), transfers.balance(money.room())
    knock_out(tournament, victim, [hunter])
    hunter.refresh_from_db()
    assert wealth(hunter.user) == had + BOUNTY // 2 + 3_000
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
    tournament, (winner, first, second) = field(3, bounties_at_end=True, pro_bounty=2_000)
    User.objects.filter(pk=second.user_id).update(is_pro=True)
    before = {entry.pk: wealth(entry.user) for entry in (winner, first, second)}
    knock_out(tournament, first, [second])
    knock_out(tournament, second, [winner])
    assert {entry.pk: wealth(entry.user) for entry in (winner, first, second)} == before
    assert held(tournament) == 3 * BOUNTY + 2_000
    Entry.objects.filter(pk=winner.pk).update(state=Entry.State.WON, place=1)
    close(tournament)
    assert wealth(winner.user) == before[winner.pk] + 2 * BOUNTY + 2_000
    assert wealth(second.user) == before[second.pk] + BOUNTY
    assert held(tournament) == 0


@pytest.mark.rule("N-07")
@pytest.mark.rule("T-15")
def test_the_winner_keeps_his_head_and_takes_those_nobody_won(house: Redis) -> None:
    tournament, (winner, out, bad) = field(3)
    Entry.objects.filter(pk=bad.pk).update(state=Entry.State.DISQUALIFIED, place=3)
    knock_out(tournament, out, [winner])
    had = wealth(winner.user)
    Entry.objects.filter(pk=winner.pk).update(state=Entry.State.WON, place=1)
    close(tournament)
    assert wealth(winner.user) == had + 2 * BOUNTY and held(tournament) == 0


@pytest.mark.rule("N-07")
def test_after_a_deal_everybody_left_keeps_his_head(house: Redis) -> None:
    tournament, entries = field(3, progressive_bp=5_000)
    one, other, out = entries
    knock_out(tournament, out, [one])
    before = wealth(one.user), wealth(other.user)
    close(tournament)
    assert (wealth(one.user), wealth(other.user)) == (
        before[0] + BOUNTY + BOUNTY // 2,
        before[1] + BOUNTY,
    )
    assert held(tournament) == 0


@pytest.mark.rule("T-12")
@pytest.mark.parametrize("progressive", [10_000, 5_000])
def test_rolling_back_returns_all_heads_and_the_room_makes_up_for_those_won(
    house: Redis, progressive: int
) -> None:
    tournament, entries = field(3, progressive_bp=progressive)
    hunter, victim, _ = entries
    before = [wealth(entry.user) for entry in entries]
    knock_out(tournament, victim, [hunter])
    won = BOUNTY * progressive // 10_000
    assert bounties.won_from_heads(tournament) == won
    free = promotions.free()
    operations.cancel(tournament.pk, reason="fault")
    paid = BUY_IN + BOUNTY + FEE
    assert [wealth(entry.user) for entry in entries] == [
        before[0] + paid + won,
        before[1] + paid,
        before[2] + paid,
    ]
    assert promotions.free() == free - won
    assert held(tournament) == 0 and transfers.total() == 0
    operations.cancel(tournament.pk, reason="again")
    assert promotions.free() == free - won


@pytest.mark.rule("T-12")
def test_bounties_the_room_cannot_make_up_for_are_not_rolled_back(house: Redis) -> None:
    tournament, (hunter, victim, *_) = field(3)
    knock_out(tournament, victim, [hunter])
    promotions.fund(1 - promotions.free(), reason="audit", token="all-but-one")
    before = facts(tournament)
    with pytest.raises(RoomCannotPay) as refused:
        operations.cancel(tournament.pk, reason="fault")
    assert refused.value.allowed == {"needed": BOUNTY, "free": 1}
    assert facts(tournament) == before
    operations.cancel_forward(tournament.pk, reason="fault")


@pytest.mark.rule("T-12")
def test_rolling_back_returns_heads_and_what_the_room_put_on_them(house: Redis) -> None:
    tournament, (hunter, victim, *_) = field(3, bounties_at_end=True, pro_bounty=2_000)
    User.objects.filter(pk=victim.user_id).update(is_pro=True)
    room = transfers.balance(money.room())
    knock_out(tournament, victim, [hunter])
    before = wealth(victim.user)
    operations.cancel(tournament.pk, reason="fault")
    assert wealth(victim.user) == before + BUY_IN + BOUNTY + FEE
    assert held(tournament) == 0 and transfers.balance(money.room()) == room
    assert transfers.total() == 0


@pytest.mark.rule("T-12")
def test_cancelling_forward_everybody_left_keeps_his_head(house: Redis) -> None:
    tournament, (hunter, victim, other) = field(3)
    knock_out(tournament, victim, [hunter])
    Tournament.objects.filter(pk=tournament.pk).update(left=2)
    had = wealth(other.user)
    operations.cancel_forward(tournament.pk, reason="fault")
    assert held(tournament) == 0 and transfers.balance(money.pool(tournament)) == 0
    assert wealth(other.user) >= had + BOUNTY


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
    assert audit.check(tournament.pk) == []
    made = report.build(tournament.pk)["bounties"]
    assert made["won"] == made["paid"] + made["by_room"]
    assert held(tournament) == 0 and transfers.total() == 0


@pytest.mark.rule("N-01")
@pytest.mark.rule("N-04")
@pytest.mark.rule("N-05")
@pytest.mark.rule("N-06")
@pytest.mark.rule("N-07")
@settings(
    max_examples=12,
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
def test_bounties_in_are_bounties_out(
    house: Redis,
    bounty: int,
    progressive_bp: int,
    odd_to_cash: bool,
    at_end: bool,
    course: list[tuple[int, set[int]]],
    pro: set[int],
) -> None:
    tournament, entries = field(
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
