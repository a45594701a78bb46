"""The room operates ring games: penalties, kicks, freezes and closings with audit rows (P-03)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import DatabaseError, transaction
from redis import Redis

from accounts.models import User
from accounts.refusals import words_of
from config import limits
from config.refusals import Refusal
from tables.dealer.grants import Wait
from tables.models import Hand, Seat, Table
from tables.records import stored
from tables.ring.models import Penalty, RingAuditRow, RingGame, RingSession
from tables.ring.queries import terms
from tables.ring.running.director import RingDirector
from tables.ring.sessions import choices, leaving, operating, penalties, sit_down
from tests.tables.ring.room import cast

pytestmark = pytest.mark.django_db(transaction=True)


def seated(players: int = 3, **terms: object) -> tuple[RingGame, Table, list[RingSession]]:
    """A game with players at its only table."""
    ring = cast.game(**terms)
    sessions = [sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN) for _ in range(players)]
    return ring, cast.table_of(ring), sessions


def operator() -> User:
    """An operator of the room."""
    return User.objects.create_superuser(name="Floor", password="x" * 12)


def facts() -> tuple[object, ...]:
    """Every row that a refused operation must leave unchanged."""
    return (
        list(RingGame.objects.values()),
        list(RingSession.objects.order_by("pk").values()),
        list(Penalty.objects.values()),
        list(RingAuditRow.objects.values()),
    )


def refused(code: str, act: Callable[[], object]) -> str:
    """Assert that an operation is refused and changes nothing; return the sentence."""
    before = facts()
    with pytest.raises(Refusal) as refusal:
        act()
    assert refusal.value.code == code and facts() == before
    return words_of(refusal.value)


def posted(table: Table, number: int) -> dict[int, int]:
    """Penalty chips that the setup of a settled hand has, by entry."""
    kept = stored.decode(bytes(Hand.objects.get(table=table, number=number).record))
    entries = {seat.seat: seat.entry for seat in kept.seats}
    return {
        entries[player.seat]: post.amount
        for player in kept.setup.players
        for post in player.posts
        if post.kind == "penalty"
    }


@pytest.mark.rule("P-03")
def test_a_penalty_is_taken_once_in_the_next_hand_the_player_is_dealt_in(room: Redis) -> None:
    _, table, sessions = seated()
    cast.begin(room, table)
    by = operator()
    penalty = penalties.order(by, sessions[1].pk, 3_00, " Phone at the table ")
    cast.fold_around(room, table)
    assert posted(table, 1) == {}
    chips = cast.stack(sessions[1])
    cast.fold_around(room, table)
    assert posted(table, 2) == {sessions[1].pk: 3_00}
    cast.fold_around(room, table)
    assert posted(table, 3) == {}
    penalty.refresh_from_db()
    assert (penalty.amount, penalty.taken, penalty.taken_hand) == (3_00, 3_00, 2)
    assert penalty.reason == "Phone at the table" and penalty.by == by
    assert chips is not None and (cast.stack(sessions[1]) or 0) <= chips + 3_00
    row = RingAuditRow.objects.get()
    assert (row.action, row.actor, row.session_id) == ("penalty", by, sessions[1].pk)
    assert row.details == {"amount": 3_00, "penalty": penalty.pk}
    cast.law()


@pytest.mark.rule("P-03")
def test_a_penalty_of_the_whole_stack_leaves_the_chips_of_the_blinds(room: Redis) -> None:
    _, table, sessions = seated(4)
    cast.fold_around(room, table)
    away = sessions[0]
    penalties.order(None, away.pk, cast.stack(away) or 0, "all of it")
    for _ in range(4):
        cast.fold_around(room, table)
        if Penalty.objects.get().taken_hand is not None:
            break
    cast.boundary(room, table)
    penalty = Penalty.objects.get()
    assert penalty.taken_hand is not None
    assert 0 < penalty.taken <= penalty.amount
    assert posted(table, penalty.taken_hand) == {away.pk: penalty.taken}
    cast.law()


@pytest.mark.rule("P-03")
def test_impossible_penalties_are_refused_in_words(room: Redis) -> None:
    _, table, sessions = seated()
    cast.begin(room, table)
    row, by = sessions[0], operator()

    def order(amount: int, reason: str = "rude") -> Callable[[], object]:
        return lambda: penalties.order(by, row.pk, amount, reason)

    assert "more than 0" in refused("penalty_too_small", order(0))
    refused("penalty_too_small", order(-5_00))
    assert "100.00" in refused("penalty_above_stack", order(100_01))
    refused("no_reason", order(1_00, "  "))
    refused("reason_too_long", order(1_00, "x" * 301))
    refused("player_has_left", lambda: penalties.order(by, 10**15, 1_00, "rude"))
    order(60_00)()
    assert "40.00" in refused("penalty_above_stack", order(40_01))
    leaving.leave(row.user, row.pk)
    refused("player_leaving", order(1_00))
    leaving.leave(row.user, row.pk)
    cast.fold_around(room, table)
    cast.boundary(room, table)
    assert refused("player_has_left", order(1_00)).startswith("The player has left")
    cast.law()


@pytest.mark.rule("R-01")
def test_operations_need_a_reason_and_write_who_did_them(room: Redis) -> None:
    ring, table, sessions = seated()
    by = operator()
    for act in (operating.freeze, operating.unfreeze, operating.close_after_hand):
        refused("no_reason", lambda act=act: act(by, ring.pk, " "))  # type: ignore[misc]
        refused("no_such_game", lambda act=act: act(by, 10**9, "why"))  # type: ignore[misc]
    refused("no_reason", lambda: operating.kick(by, sessions[0].pk, ""))
    for text in ("why\0", "\u202ewhy"):
        refused("reason_unreadable", lambda text=text: operating.freeze(by, ring.pk, text))  # type: ignore[misc]
    refused("player_has_left", lambda: operating.kick(by, 10**15, "why"))
    operating.freeze(by, ring.pk, "a dispute")
    operating.freeze(by, ring.pk, "again")
    operating.unfreeze(by, ring.pk, "settled")
    operating.kick(by, sessions[0].pk, "abuse")
    refused("player_leaving", lambda: operating.kick(by, sessions[0].pk, "abuse"))
    operating.close_after_hand(None, ring.pk, "the night is over")
    rows = RingAuditRow.objects.order_by("pk").values_list("action", "actor", "reason", "session")
    assert list(rows) == [
        ("freeze", by.pk, "a dispute", None),
        ("unfreeze", by.pk, "settled", None),
        ("kick", by.pk, "abuse", sessions[0].pk),
        ("close", None, "the night is over", None),
    ]
    cast.boundary(room, table)
    assert not Seat.objects.filter(table=table).exists()
    cast.law()


@pytest.mark.rule("R-01")
def test_tables_are_opened_up_to_the_most_of_the_game(room: Redis) -> None:
    ring, by = cast.game(tables_max=2), operator()
    refused("no_reason", lambda: operating.open_one_more(by, ring.pk, ""))
    table = operating.open_one_more(by, ring.pk, "a busy night")
    assert (table.number, table.status) == (2, Table.Status.OPEN)
    assert RingAuditRow.objects.get().details == {"table": table.pk}
    assert "2" in refused("all_tables_open", lambda: operating.open_one_more(by, ring.pk, "more"))
    assert Table.objects.filter(game=ring.pk).count() == 2


@pytest.mark.rule("R-01")
def test_a_table_opened_by_hand_waits_for_its_players(
    room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring, table, _ = seated(2, tables_max=2)
    opened = operating.open_one_more(operator(), ring.pk, "a busy night")
    assert cast.boundary(room, opened).waiting == "players"
    late = sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN, table_id=opened.pk)
    leaving.leave(late.user, late.pk)
    assert cast.boundary(room, opened).waiting == "players"
    monkeypatch.setattr(limits, "RING_TABLE_STANDS_MS", 0)
    cast.boundary(room, opened)
    found = Table.objects.filter(game=ring.pk, status=Table.Status.OPEN)
    assert [row.pk for row in found] == [table.pk]
    cast.law()


def test_audit_rows_of_ring_games_are_never_changed(room: Redis) -> None:
    ring = cast.game()
    operating.freeze(None, ring.pk, "why")
    changes: tuple[Callable[[], object], ...] = (
        lambda: RingAuditRow.objects.update(reason="another"),
        lambda: RingAuditRow.objects.all()._raw_delete(RingAuditRow.objects.db),
    )
    for change in changes:
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    assert RingAuditRow.objects.get().reason == "why"


@pytest.mark.rule("C-04", "S-03")
@pytest.mark.parametrize("is_set", [False, True])
def test_a_game_may_draw_its_first_button_by_lot_and_keep_mucked_hands_secret(
    room: Redis, is_set: bool
) -> None:
    ring, table, _ = seated(2, button_by_lot=is_set, muck_secret=is_set)
    state = cast.begin(room, table)
    assert state.button_by_lot is is_set and state.rules is not None
    assert state.rules.options.muck_secret is is_set
    said = [value for _, value in terms.terms(ring)]
    assert ("a fair lot" in said) is is_set is ("stay secret" in said)


@pytest.mark.rule("H-08")
def test_the_terms_of_a_game_say_whether_the_big_blind_pays_the_ante() -> None:
    buy_in = {"buy_in_min": 100, "buy_in_max": 200}
    told = {
        kind: ("Ante", "big blind pays") in terms.terms(RingGame(ante=10, ante_kind=kind, **buy_in))
        for kind in ("per_seat", "big_blind")
    }
    assert told == {"per_seat": False, "big_blind": True}


@pytest.mark.rule("H-11")
def test_a_refused_big_blind_sits_the_player_out_until_the_player_is_back(room: Redis) -> None:
    _, table, sessions = seated(4)
    row = sessions[3]
    choices.set_skipping(row.user, row.pk, True)
    for _ in range(5):
        state = cast.begin(room, table)
        if not state.at(row.seat).dealt:
            break
        cast.fold_around(room, table)
    seat = state.at(row.seat)
    assert not seat.dealt and seat.absent and state.phase == "hand"
    row.refresh_from_db()
    assert not row.skips_big_blind and row.absent_since is not None
    penalties.order(None, row.pk, 1_00, "waits for the player")
    cast.fold_around(room, table)
    state = cast.begin(room, table)
    assert not state.at(row.seat).dealt, "a player who sits out is not dealt in"
    row.refresh_from_db()
    assert row.owes_big and Penalty.objects.get().taken_hand is None
    cast.law()


@pytest.mark.rule("H-11")
def test_a_refused_big_blind_is_refused_in_an_answer_that_is_made_anew(room: Redis) -> None:
    _, table, [row, _other] = seated(2)
    choices.set_skipping(row.user, row.pk, True)
    for _ in range(3):
        cast.fold_around(room, table)
        table.refresh_from_db()
        answers = [RingDirector().next(table.pk, table.hand + 1) for _ in range(2)]
        if isinstance(answers[0], Wait):
            break
    for answer in answers:
        assert isinstance(answer, Wait)
        assert [seat.seat for seat in answer.roster or () if seat.sits_out] == [row.seat]
    row.refresh_from_db()
    assert row.skips_big_blind, "the table has not told yet that the seat is absent"
    for _ in range(2):
        assert cast.boundary(room, table).at(row.seat).absent
    row.refresh_from_db()
    assert not row.skips_big_blind


@pytest.mark.rule("H-11")
def test_one_of_two_who_refuses_the_big_blind_sits_out_and_the_other_waits(room: Redis) -> None:
    _, table, sessions = seated(2)
    row, other = sessions
    choices.set_skipping(row.user, row.pk, True)
    for _ in range(3):
        cast.fold_around(room, table)
        state = cast.boundary(room, table)
        if state.waiting is not None:
            break
    assert (state.waiting, state.at(row.seat).absent) == ("players", True)
    cast.boundary(room, table)
    row.refresh_from_db()
    assert not row.skips_big_blind and row.absent_since is not None
    choices.set_skipping(other.user, other.pk, True)
    assert not cast.boundary(room, table).at(other.seat).absent, "no blind reaches one alone"
