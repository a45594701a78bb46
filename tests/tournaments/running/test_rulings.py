"""Rulings about players: disqualification with the chips, a move, a message to all."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db.models import F
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.ledger import transfers
from accounts.models import User
from accounts.users import bots
from config.refusals import Refusal
from tables.dealer.grants import Close, Departure
from tables.models import Seat, Table
from tests.tournaments.buying.rebuy_scene import next_hand
from tests.tournaments.cast import (
    STACK,
    Arena,
    at_once,
    chips_of,
    open_offer,
    passive,
    shove,
    somebody,
    started,
)
from tournaments.entries import registration
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import (
    Announcement,
    AuditRow,
    Entry,
    KnockOut,
    Move,
    Offer,
    Ruling,
    Tournament,
)
from tournaments.monitor import audit, report
from tournaments.prizes import money
from tournaments.refusals import BadMessage, CannotMove, NobodyListens, NotInPlay
from tournaments.running import cancelling, operations, rulings
from tournaments.seating import merging

WHY = "plays from two accounts"


def told(kind: str) -> list[bytes]:
    """Announcements of that kind, as stored."""
    rows = Announcement.objects.order_by("pk").values_list("payload", flat=True)
    return [bytes(row) for row in rows if f'"type":"{kind}"'.encode() in bytes(row)]


@pytest.mark.rule("T-15")
def test_a_disqualified_player_leaves_with_the_chips_once_the_table_stands(house: Redis) -> None:
    tournament = started(5, seats_per_table=6)
    arena = Arena(tournament.pk)
    arena.choose = passive
    [table] = arena.tables()
    arena.step(table)
    arena.step(table)
    entry = somebody(tournament)
    rulings.disqualify(entry.pk, actor=None, reason=WHY)
    assert rulings.disqualify(entry.pk, actor=None, reason=WHY).state == "open", (
        "a repeated request"
    )
    entry.refresh_from_db()
    assert entry.state == "seated", "the hand is played to its end"
    arena.step(table)
    chips = Seat.objects.get(entry=entry.pk).chips
    arena.step(table)

    entry.refresh_from_db()
    tournament.refresh_from_db()
    assert (entry.state, entry.dead_chips, entry.place) == ("disqualified", chips, 5)
    assert tournament.left == 4 and not Seat.objects.filter(entry=entry.pk).exists()
    assert chips_of(tournament.pk) == 5 * STACK - chips == audit.sold_chips(tournament)
    assert audit.audit_tournaments(tournament.pk) == []
    assert AuditRow.objects.filter(action="disqualify", reason=WHY).count() == 1
    assert Ruling.objects.get().state == "done"
    assert len(told("disqualified")) == 1 and WHY.encode() in told("disqualified")[0]
    gone = [seat.entry for seat in arena.states[table].seats]
    assert entry.pk not in gone and len(gone) == 4

    arena.choose = shove
    arena.run()
    tournament.refresh_from_db()
    assert tournament.state == "finished" and audit.audit_tournaments(tournament.pk) == []
    built = report.build(tournament.pk)
    assert report.is_right(built) and built["chips_sold"] == 5 * STACK - chips


@pytest.mark.rule("T-15")
@pytest.mark.rule("T-12")
def test_cancelled_forward_the_head_of_a_disqualified_player_goes_to_the_chip_leader(
    house: Redis,
) -> None:
    tournament = started(4, seats_per_table=6, bounty=400)
    arena = Arena(tournament.pk)
    rulings.disqualify(somebody(tournament).pk, actor=None, reason=WHY)
    arena.step(arena.tables()[0])
    first, second, leader = tournament.entries.exclude(state="disqualified").order_by("pk")
    for entry, chips in ((first, 0), (second, -500), (leader, 500)):
        Seat.objects.filter(entry=entry.pk).update(chips=F("chips") + chips)
    operations.cancel_forward(tournament.pk, reason=WHY)
    won = dict(tournament.entries.values_list("pk", "bounties_won"))
    assert [won[entry.pk] for entry in (first, second, leader)] == [400, 400, 800]
    assert transfers.balance(money.bounties(tournament)) == 0


@pytest.mark.rule("T-15")
@pytest.mark.rule("N-07")
@pytest.mark.parametrize("progressive_bp", [10_000, 5_000])
def test_the_bounty_of_a_disqualified_player_goes_to_the_tournament_winner(
    house: Redis, progressive_bp: int
) -> None:
    tournament = started(4, seats_per_table=6, bounty=400, progressive_bp=progressive_bp)
    arena = Arena(tournament.pk)
    entry = somebody(tournament)
    rulings.disqualify(entry.pk, actor=None, reason=WHY)
    arena.step(arena.tables()[0])
    out = KnockOut.objects.get(entry=entry)
    assert (out.winners, out.bounties) == ([], [])
    entry.refresh_from_db()
    assert entry.head == 400 and entry.state == "disqualified"
    arena.run()
    winner = tournament.entries.get(place=1)
    assert winner.bounties_won >= 800, "the own bounty and that of the disqualified player"
    assert sum(tournament.entries.values_list("bounties_won", flat=True)) == 4 * 400
    assert transfers.balance(money.bounties(tournament)) == 0 == transfers.total()
    assert audit.audit_tournaments(tournament.pk) == []


@pytest.mark.rule("T-15")
def test_disqualifying_the_last_opponent_ends_the_tournament(house: Redis) -> None:
    tournament = started(2)
    arena, entry = Arena(tournament.pk), somebody(tournament)
    rulings.disqualify(entry.pk, actor=None, reason=WHY)
    said = next_hand(arena.tables()[0])
    assert isinstance(said, Close) and said.departures == (Departure(entry.pk, "disqualified"),)
    arena.run()
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    assert sorted(tournament.entries.values_list("place", "state")) == [
        (1, "won"), (2, "disqualified")
    ]  # fmt: skip
    assert audit.audit_tournaments(tournament.pk) == [] and transfers.total() == 0


@pytest.mark.rule("T-15")
def test_a_player_on_the_way_to_a_table_is_disqualified_at_once(house: Redis) -> None:
    tournament = started(6, seats_per_table=3)
    arena = Arena(tournament.pk)
    entry = somebody(tournament)
    own = Seat.objects.get(entry=entry.pk)
    other = Table.objects.exclude(pk=own.table_id).get()
    Seat.objects.filter(table=other).latest("pk").delete()
    lost = tournament.entries.exclude(pk__in=Seat.objects.values("entry")).get()
    Entry.objects.filter(pk=lost.pk).update(dead_chips=STACK, state="disqualified", place=6)
    Tournament.objects.filter(pk=tournament.pk).update(left=5)
    Move.objects.create(
        tournament=tournament, entry=entry, reason="balance", state="left", from_table=own.table,
        from_seat=own.seat, to_table=other, to_seat=3, chips=own.chips, version=1,
    )  # fmt: skip
    own.delete()
    rulings.disqualify(entry.pk, actor=None, reason=WHY)
    entry.refresh_from_db()
    assert (entry.state, entry.dead_chips) == ("disqualified", STACK)
    assert Move.objects.get().state == "void"
    tournament.refresh_from_db()
    assert tournament.left == 4 and chips_of(tournament.pk) == audit.sold_chips(tournament)
    assert arena.tables()


@pytest.mark.rule("T-15")
@pytest.mark.rule("E-03")
def test_chips_that_were_on_the_way_to_a_disqualified_entry_leave_play_too(house: Redis) -> None:
    tournament = started(6, seats_per_table=3)
    Tournament.objects.filter(pk=tournament.pk).update(several_at_once=True)
    tournament.refresh_from_db()
    entry = somebody(tournament)
    own = Seat.objects.get(entry=entry.pk)
    other = Table.objects.exclude(pk=own.table_id).get()
    # Another entry of that player gives its chips while the player is on the way to its table.
    given = Seat.objects.filter(table=other).select_related("table").order_by("-pk")[0]
    Entry.objects.filter(pk=given.entry).update(user=entry.user_id, slot=1)
    Move.objects.create(
        tournament=tournament, entry=entry, reason="balance", state="left", from_table=own.table,
        from_seat=own.seat, to_table=other, to_seat=given.seat, chips=own.chips, version=1,
    )  # fmt: skip
    own.delete()
    with tournament_transaction(tournament.pk) as tx:
        merging.absorb(tx, given, entry.pk)
    assert chips_of(tournament.pk) == 6 * STACK
    rulings.disqualify(entry.pk, actor=None, reason=WHY)
    entry.refresh_from_db()
    assert (entry.state, entry.dead_chips) == ("disqualified", 2 * STACK)
    assert Offer.objects.get(kind="merge").state == "expired"
    assert chips_of(tournament.pk) == 4 * STACK == audit.sold_chips(tournament)
    assert audit.audit_tournaments(tournament.pk) == []


@pytest.mark.rule("T-12")
def test_a_disqualified_player_is_refunded_when_all_are(house: Redis) -> None:
    tournament = started(4, seats_per_table=6)
    arena = Arena(tournament.pk)
    rulings.disqualify(somebody(tournament).pk, actor=None, reason=WHY)
    arena.step(arena.tables()[0])
    assert cancelling.refund_preview(tournament)[0] == 4
    operations.cancel(tournament.pk, reason="a fault")
    assert transfers.balance(money.pool(tournament)) == 0 == transfers.total()


@pytest.mark.rule("T-08")
def test_a_player_is_moved_at_the_boundary_by_a_row(house: Redis) -> None:
    tournament = started(8, seats_per_table=6)
    arena = Arena(tournament.pk)
    arena.choose = passive
    entry = somebody(tournament)
    own = Seat.objects.get(entry=entry.pk).table
    other = Table.objects.exclude(pk=own.pk).get()
    arena.tables()
    arena.step(own.pk)
    rulings.move(entry.pk, other.pk, actor=None, reason="friends")
    assert Seat.objects.get(entry=entry.pk).table == own, "the hand is played to its end"
    for _ in range(3):
        arena.step(own.pk)
    made = Move.objects.get(entry=entry)
    assert (made.reason, made.from_table, made.to_table) == ("room", own, other)
    for _ in range(4):
        arena.step(other.pk)
    made.refresh_from_db()
    assert made.state == "seated" and Ruling.objects.get().state == "done"
    assert AuditRow.objects.filter(action="move", reason="friends").exists()
    assert chips_of(tournament.pk) == 8 * STACK and audit.audit_tournaments(tournament.pk) == []
    arena.choose = shove
    arena.run()
    tournament.refresh_from_db()
    assert tournament.state == "finished" and audit.audit_tournaments(tournament.pk) == []


@pytest.mark.rule("T-08")
@pytest.mark.parametrize(("players", "offered"), [(8, 0), (6, 1)])
def test_only_tables_with_a_free_seat_are_offered_for_a_move(
    house: Redis, client: Client, players: int, offered: int
) -> None:
    tournament = started(players, seats_per_table=4)
    entry = somebody(tournament)
    client.force_login(User.objects.create_superuser("boss", "long-enough-password"))
    page = client.get(reverse("cockpit_move", args=[entry.pk])).content.decode()
    assert page.count("→") == offered


def test_an_impossible_move_becomes_void_and_play_continues(house: Redis) -> None:
    tournament = started(8, seats_per_table=6)
    arena = Arena(tournament.pk)
    entry = somebody(tournament)
    own = Seat.objects.get(entry=entry.pk).table_id
    other = Table.objects.exclude(pk=own).get().pk
    rulings.move(entry.pk, other, actor=None, reason="friends")
    Tournament.objects.filter(pk=tournament.pk).update(format="shootout")
    arena.tables()
    arena.step(own)
    assert Ruling.objects.get().state == "void" and not Move.objects.exists()
    assert Seat.objects.get(entry=entry.pk).table_id == own


@pytest.mark.parametrize(
    ("why", "change"),
    [
        ("no_table", {"target": 0}),
        ("same_table", {"target": "own"}),
        ("no_seat", {"full": True}),
        ("hand_for_hand", {"fields": {"hand_for_hand": True}}),
        ("shootout", {"fields": {"format": "shootout"}}),
    ],
)
def test_an_impossible_move_is_refused_and_changes_nothing(
    house: Redis, why: str, change: dict[str, Any]
) -> None:
    tournament = started(6 if change.get("full") else 4, seats_per_table=3)
    entry = somebody(tournament)
    own = Seat.objects.get(entry=entry.pk).table_id
    other = Table.objects.exclude(pk=own).get().pk
    target = {"own": own, 0: 0}.get(change.get("target", ""), other)
    if fields := change.get("fields"):
        Tournament.objects.filter(pk=tournament.pk).update(**fields)
    with pytest.raises(CannotMove) as refused:
        rulings.move(entry.pk, target, actor=None, reason="because")
    assert refused.value.allowed == {"why": why}
    assert not Ruling.objects.exists() and not AuditRow.objects.filter(action="move").exists()


@pytest.mark.rule("T-15")
def test_a_ruling_about_a_player_out_of_play_is_refused(house: Redis) -> None:
    waiting = open_offer()
    [bot] = bots.create(1)
    registered = registration.register(bot, waiting)
    played = started(2)
    Arena(played.pk).run()
    out = played.entries.get(place=2)
    for pk in (registered.pk, out.pk, 10**9):
        with pytest.raises(NotInPlay):
            rulings.disqualify(pk, actor=None, reason=WHY)
        with pytest.raises(NotInPlay):
            rulings.move(pk, 1, actor=None, reason=WHY)
    assert not Ruling.objects.exists()


def test_disqualifying_at_once_from_two_pages_counts_once(house: Redis) -> None:
    tournament = started(3)
    entry = somebody(tournament)

    at_once(*[lambda: rulings.disqualify(entry.pk, actor=None, reason=WHY)] * 4)
    assert Ruling.objects.count() == 1 == AuditRow.objects.filter(action="disqualify").count()


def test_a_message_reaches_the_stream_and_every_player_once(house: Redis) -> None:
    tournament = started(3)
    operations.message(tournament.pk, "  Dinner after this level ", reason="announcement")
    assert len(told("room_message")) == 1 and len(told("room_says")) == 3
    assert b"Dinner after this level" in told("room_says")[0]
    for _ in range(2):
        operations.message(tournament.pk, "And dessert", token="t" * 22)
    assert len(told("room_message")) == 2 and len(told("room_says")) == 6
    operations.message(tournament.pk, "Cheese", token="u" * 22)
    row = AuditRow.objects.filter(action="message").earliest("pk")
    assert (row.reason, row.details["text"]) == ("announcement", "Dinner after this level")
    for wrong in ("", "   ", "x" * 301):
        with pytest.raises(BadMessage):
            operations.message(tournament.pk, wrong)
    Tournament.objects.update(state="finished")
    with pytest.raises(NobodyListens):
        operations.message(tournament.pk, "Too late")
    assert len(told("room_message")) == 3 == AuditRow.objects.filter(action="message").count()


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def test_the_effect_is_shown_first_and_a_reason_is_required(boss: Client) -> None:
    tournament = started(8, seats_per_table=6, bounty=400)
    entry = somebody(tournament)
    listed = boss.get(reverse("admin:tournaments_entry_changelist")).content.decode()
    page = reverse("admin:tournaments_disqualify", args=[entry.pk])
    assert page in listed
    shown = boss.get(page).content.decode()
    assert entry.name in shown and "8 → 7" in shown and "4.00" in shown
    assert boss.post(page, {"reason": " "}).status_code == 200 and not Ruling.objects.exists()
    assert boss.post(page, {"reason": WHY}).status_code == 302
    row = AuditRow.objects.get(action="disqualify")
    assert (str(row.actor), row.reason) == ("Boss", WHY)

    mover = tournament.entries.exclude(pk=entry.pk).earliest("pk")
    page = reverse("admin:tournaments_move", args=[mover.pk])
    assert "4 → 5" in boss.get(page).content.decode()
    wrong = boss.post(page, {"reason": WHY, "to_table": 0})
    assert wrong.status_code == 200 and Ruling.objects.count() == 1
    other = Table.objects.exclude(pk=Seat.objects.get(entry=mover.pk).table_id).get()
    assert boss.post(page, {"reason": WHY, "to_table": other.pk}).status_code == 302
    assert Ruling.objects.get(kind="move").to_table == other

    page = reverse("admin:tournaments_message", args=[tournament.pk])
    said = {"reason": WHY, "text": "Dinner", "token": "t" * 22}
    assert [boss.post(page, said).status_code for _ in range(2)] == [302, 302]
    assert len(told("room_says")) == 8, "a form sent twice sends one message"


def test_rulings_and_messages_need_their_own_permissions(house: Redis, client: Client) -> None:
    tournament = started(2)
    entry = somebody(tournament)
    reader = User.objects.create_user("Reader", "a long password", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="run_tournament"))
    client.force_login(reader)
    pages = [
        reverse("admin:tournaments_disqualify", args=[entry.pk]),
        reverse("admin:tournaments_move", args=[entry.pk]),
        reverse("admin:tournaments_message", args=[tournament.pk]),
    ]
    for page in pages:
        assert client.post(page, {"reason": WHY, "text": "x", "to_table": 1}).status_code == 403
    assert not Ruling.objects.exists() and not told("room_message")


def test_refusals_of_rulings_are_registered_refusals() -> None:
    assert issubclass(CannotMove, Refusal)
