"""Ring games on real servers: sit, play, top up, leave; every cent is at its place (R-01, A-03)."""

from __future__ import annotations

import random

import pytest
from django.utils import timezone
from msgspec.structs import replace
from redis import Redis

from accounts.ledger import transfers
from accounts.models import AccountKind, Posting
from tables.models import Hand, Seat, Table
from tables.records import stored
from tables.ring import refusals
from tables.ring.engine.jackpots import JACKPOTS
from tables.ring.models import Jackpot, JackpotWin, RingGame, RingSession, WaitingPlayer
from tables.ring.models.jackpot import builtins_of
from tables.ring.models.session import FIRST_KEY
from tables.ring.sessions import choices, leaving, operating, sit_down, top_up, waiting_list
from tables.store import fenced, keys, wakes
from tables.workers import recovery, settle
from tests.tables.ring.room import cast

pytestmark = pytest.mark.django_db(transaction=True)

SEATED, LEFT = RingSession.State.SEATED, RingSession.State.LEFT


@pytest.mark.rule("R-01", "A-03")
def test_players_sit_down_play_and_leave_with_their_stacks(room: Redis) -> None:
    ring = cast.game()
    table, users = cast.table_of(ring), [cast.player() for _ in range(3)]
    sessions = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in users]
    assert [row.seat for row in sessions] == [1, 2, 3]
    assert all(row.pk >= FIRST_KEY for row in sessions)
    assert [cast.balance(user) for user in users] == [cast.BALANCE - cast.BUY_IN] * 3
    chance = random.Random(7)
    for _ in range(12):
        cast.play_hand(room, table, chance)
        cast.law()
        if Seat.objects.filter(table=table, chips__gt=0).count() < 2:
            break
    for row in sessions:
        leaving.leave(row.user, row.pk)
    cast.boundary(room, table)
    cast.law()
    assert not Seat.objects.filter(table=table).exists()
    assert sum(cast.balance(user) for user in users) == 3 * cast.BALANCE
    left = RingSession.objects.filter(state=LEFT)
    assert sum(left.values_list("left_with", flat=True)) == 3 * cast.BUY_IN


@pytest.mark.rule("A-03")
def test_a_player_alone_at_a_table_is_seated_and_waits(room: Redis) -> None:
    ring = cast.game()
    session = sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN, seat=4)
    state = cast.boundary(room, cast.table_of(ring))
    assert [(seat.seat, seat.chips, seat.dealt) for seat in state.seats] == [(4, 100_00, False)]
    assert (state.phase, state.waiting) == ("boundary", "players")
    session.refresh_from_db()
    assert (session.state, session.coming) == (SEATED, 0)
    cast.law()


@pytest.mark.rule("R-02")
def test_rake_is_booked_by_hand_and_attributed_to_those_who_paid_it(room: Redis) -> None:
    ring = cast.raked()
    table, users = cast.table_of(ring), [cast.player() for _ in range(3)]
    for user in users:
        sit_down.sit(user, ring.pk, amount=cast.BUY_IN)
    chance = random.Random(3)
    for _ in range(15):
        cast.play_hand(room, table, chance)
        cast.law()
        if Seat.objects.filter(table=table, chips__gt=0).count() < 2:
            break
    hands = [stored.decode(bytes(row.record)) for row in Hand.objects.filter(table=table)]
    taken = sum(hand.result.rake for hand in hands)
    assert taken > 0
    fees = transfers.account(AccountKind.FEE, ref=f"ring:{table.pk}")
    assert transfers.balance(fees) == taken
    sessions = RingSession.objects.filter(table=table)
    assert sum(sessions.values_list("rake_paid", flat=True)) == taken
    assert Posting.objects.filter(account=fees).count() == sum(h.result.rake > 0 for h in hands)


@pytest.mark.rule("R-02")
def test_a_hand_settled_twice_pays_its_rake_once(room: Redis) -> None:
    ring = cast.raked()
    table = cast.table_of(ring)
    for _ in range(2):
        sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN)
    cast.play_hand(room, table, random.Random(5))
    hand = stored.decode(bytes(Hand.objects.get(table=table).record))
    before = list(Posting.objects.values_list("pk", flat=True))
    assert settle.settle_hand(hand) is False
    assert list(Posting.objects.values_list("pk", flat=True)) == before
    cast.law()


@pytest.mark.rule("J-01", "J-02")
def test_jackpots_are_fed_from_the_rake_and_paid_to_the_cent(room: Redis) -> None:
    for kind in ("monte_carlo", "bad_beat"):
        terms = replace(JACKPOTS[kind], pocket_pair=False, both_hole_cards=False)
        Jackpot.objects.update_or_create(kind=kind, defaults={"stored_terms": builtins_of(terms)})
    ring = cast.raked(jackpots=("monte_carlo", "bad_beat"), buy_in_max=2_000_00)
    table = cast.table_of(ring)
    users = [cast.player(balance=5_000_00) for _ in range(4)]
    for user in users:
        sit_down.sit(user, ring.pk, amount=2_000_00)
    chance = random.Random(2)
    for _ in range(40):
        cast.play_hand(room, table, chance)
        cast.law()
        if Seat.objects.filter(table=table, chips__gt=0).count() < 2:
            break
    rakes = [
        stored.decode(bytes(row.record)).result.rake for row in Hand.objects.filter(table=table)
    ]
    for kind in ("monte_carlo", "bad_beat"):
        paid = sum(JackpotWin.objects.filter(jackpot__kind=kind).values_list("amount", flat=True))
        assert paid > 0, f"no {kind} fell"
        kept = Posting.objects.filter(
            transfer__kind="ring_jackpot", account__kind="fee", transfer__key__contains=kind
        )
        room_part = sum(kept.values_list("amount", flat=True))
        pool = transfers.balance(transfers.account(AccountKind.JACKPOT, ref=kind))
        assert pool == sum(rake // 10 for rake in rakes) - paid - room_part
    won = sum(JackpotWin.objects.values_list("amount", flat=True))
    assert sum(cast.balance(user) for user in users) == 4 * 3_000_00 + won


def test_a_table_that_redis_lost_goes_on_with_the_same_money(room: Redis) -> None:
    ring = cast.game()
    table, users = cast.table_of(ring), [cast.player(), cast.player()]
    first, _ = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in users]
    cast.fold_around(room, table)
    cast.begin(room, table)
    top_up.top_up(users[0], first.pk, 20_00)
    room.flushdb()
    recovery.restore(room, table.pk)
    cast.law()
    cast.fold_around(room, table)
    cast.law()
    assert sum(Seat.objects.filter(table=table).values_list("chips", flat=True)) == 220_00


@pytest.mark.rule("H-07")
def test_a_newcomer_waits_for_the_big_blind_or_posts_it(room: Redis) -> None:
    ring = cast.game()
    table, users = cast.table_of(ring), [cast.player() for _ in range(5)]
    for user in users[:3]:
        sit_down.sit(user, ring.pk, amount=cast.BUY_IN)
    cast.fold_around(room, table)
    late = sit_down.sit(users[3], ring.pk, amount=cast.BUY_IN, table_id=table.pk, seat=6)
    state = cast.begin(room, table)
    assert state.positions is not None
    if 6 not in state.positions.dealt:
        choices.set_posting(users[3], late.pk, True)
        for _ in range(3):
            cast.fold_around(room, table)
    hands = [stored.decode(bytes(row.record)) for row in Hand.objects.filter(table=table)]
    assert any(6 in hand.setup.positions.dealt for hand in hands)
    late.refresh_from_db()
    cast.boundary(room, table)
    late.refresh_from_db()
    assert not late.is_new
    cast.law()


@pytest.mark.rule("H-09")
def test_a_straddle_is_twice_the_big_blind_left_of_it(room: Redis) -> None:
    ring = cast.game(straddle=True)
    table, users = cast.table_of(ring), [cast.player() for _ in range(4)]
    sessions = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in users]
    for row in sessions:
        choices.set_straddle(row.user, row.pk, True)
    cast.fold_around(room, table)
    state = cast.begin(room, table)
    assert state.setup is not None
    posts = {row.seat: row.posts for row in state.setup.players if row.posts}
    assert len(posts) == 1
    [(post,)] = posts.values()
    assert (post.kind, post.amount) == ("straddle", 200)


@pytest.mark.rule("A-03")
def test_an_empty_stack_leaves_after_its_time_to_rebuy(room: Redis) -> None:
    ring = cast.game(rebuy_ms=60_000)
    table, users = cast.table_of(ring), [cast.player() for _ in range(3)]
    sessions = [sit_down.sit(user, ring.pk, amount=40_00) for user in users]
    chance = random.Random(11)
    for _ in range(400):
        cast.play_hand(room, table, chance)
        broke = Seat.objects.filter(table=table, chips=0).first()
        if broke is not None:
            break
    assert broke is not None, "nobody lost a stack"
    cast.boundary(room, table)
    session = next(row for row in sessions if row.pk == broke.entry)
    session.refresh_from_db()
    assert session.rebuy_until is not None and session.state == SEATED
    RingSession.objects.filter(pk=session.pk).update(rebuy_until=timezone.now())
    _next_boundary(room, table)
    session.refresh_from_db()
    assert (session.state, session.left_with) == (LEFT, 0)
    cast.law()


def _next_boundary(room: Redis, table: Table) -> None:
    """Finish the hand in play, if there is one, and pass the boundary after it."""
    state = cast.boundary(room, table)
    if state.phase == "granted":
        cast.fold_around(room, table)
        cast.boundary(room, table)


@pytest.mark.rule("R-01")
def test_the_last_full_table_opens_another_and_an_empty_one_closes(room: Redis) -> None:
    ring = cast.game(seats_max=2, tables_max=2)
    users = [cast.player() for _ in range(3)]
    sessions = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in users]
    assert sessions[0].table_id == sessions[1].table_id != sessions[2].table_id
    leaving.leave(users[2], sessions[2].pk)
    surplus = cast.seated_at(sessions[2])
    cast.boundary(room, surplus)
    assert Table.objects.get(pk=surplus.pk).status == Table.Status.CLOSED
    cast.law()


@pytest.mark.rule("R-01")
def test_a_free_seat_is_offered_in_the_order_of_waiting_until_it_expires(room: Redis) -> None:
    ring = cast.game(seats_max=2)
    table, users = cast.table_of(ring), [cast.player() for _ in range(4)]
    sessions = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in users[:2]]
    first, second = [waiting_list.join(user, ring.pk) for user in users[2:4]]
    leaving.leave(users[0], sessions[0].pk)
    cast.boundary(room, table)
    first.refresh_from_db()
    assert (first.offered_table_id, first.offered_seat) == (table.pk, sessions[0].seat)
    WaitingPlayer.objects.filter(pk=first.pk).update(offered_until=timezone.now())
    cast.boundary(room, table)
    cast.boundary(room, table)
    second.refresh_from_db()
    assert second.offered_seat == sessions[0].seat
    session = waiting_list.take(users[3], second.pk, cast.BUY_IN)
    assert session.seat == sessions[0].seat
    assert not WaitingPlayer.objects.exists()
    cast.law()


def test_a_game_that_closes_pays_everybody_and_ends(room: Redis) -> None:
    ring = cast.game()
    table, users = cast.table_of(ring), [cast.player() for _ in range(3)]
    for user in users:
        sit_down.sit(user, ring.pk, amount=cast.BUY_IN)
    cast.begin(room, table)
    operating.close_after_hand(None, ring.pk, "the night is over")
    with pytest.raises(refusals.NoSuchRingGame):
        sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN)
    cast.fold_around(room, table)
    cast.boundary(room, table)
    ring.refresh_from_db()
    table.refresh_from_db()
    assert (ring.state, table.status) == (RingGame.State.CLOSED, Table.Status.CLOSED)
    assert sum(cast.balance(user) for user in users) == 3 * cast.BALANCE
    cast.law()


def test_a_frozen_game_deals_no_hand_until_it_goes_on(room: Redis) -> None:
    ring = cast.game()
    table = cast.table_of(ring)
    for _ in range(2):
        sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN)
    operating.freeze(None, ring.pk, "a dispute")
    state = cast.boundary(room, table)
    assert (state.phase, state.waiting) == ("boundary", "paused")
    operating.unfreeze(None, ring.pk, "settled")
    assert cast.begin(room, table).phase == "hand"


@pytest.mark.rule("R-01", "R-03", "Z-04")
@pytest.mark.parametrize("rapid", [False, True], ids=["ring", "rapid"])
def test_a_table_whose_creator_died_is_opened_by_the_next_request(room: Redis, rapid: bool) -> None:
    ring = cast.game(rapid=rapid, pool_min=2, wait_ms=0)
    [table] = Table.objects.filter(game=ring.pk)
    member = keys.table(table.pk)
    wakes.cancel(room, member)  # committed, and never put into Redis
    assert fenced.peek(room, table.pk) is None and wakes.due(room, member) is None
    for _ in range(2):
        sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN)
    assert wakes.due(room, member) is not None
    settle.settle(room, table.pk)
    assert len(cast.begin(room, table).seats) == 2
    cast.law()
