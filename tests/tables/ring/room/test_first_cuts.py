"""A newcomer at a ring table pledges before the grant that seats him, which calls the pledge."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from redis import Redis

from accounts.models import User
from room_client.messages.commands import CutDeck
from tables.dealer.state import TableState
from tables.fairness.cutting import CutState, pledge_of
from tables.models import Table
from tables.ring.models import RingSession
from tables.ring.sessions import sit_down
from tables.ring.sessions.pledging import keep_pledge
from tables.store import inbox
from tables.workers import database_losses, recovery, sealing
from tests.tables.client_side import command
from tests.tables.ring.room import cast

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.rule("R-03")]

SEED = bytes(range(32))


def _sitting() -> tuple[Table, list[RingSession]]:
    """Two players who sit down at the only table of a game."""
    ring = cast.game()
    players = [cast.player() for _ in range(2)]
    return cast.table_of(ring), [
        sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in players
    ]


def _pledge(session: RingSession) -> bytes:
    return pledge_of(sealing.room(), session.pk, SEED)


def _granted(room: Redis, table: Table) -> TableState:
    while (state := cast.boundary(room, table)).phase != "granted":
        pass
    return state


def test_the_first_hand_of_a_newcomer_calls_the_pledge_of_the_session(room: Redis) -> None:
    table, [anna, bert] = _sitting()
    assert keep_pledge(anna.user, anna.pk, b"\1" * 32)
    assert keep_pledge(anna.user, anna.pk, _pledge(anna)), "the last one counts"
    state = _granted(room, table)
    assert state.called is not None
    assert [(cut.seat, cut.pledge) for cut in state.called.cuts] == [(anna.seat, _pledge(anna))]
    anna.refresh_from_db()
    assert bytes(anna.pledge) == b"", "called once"
    opening = CutDeck(table.pk, state.epoch, state.hand_number, seed=SEED.hex())
    inbox.append_cut(room, table.pk, anna.user_id, command(opening))
    dealt = cast.begin(room, table)
    assert dealt.called is not None
    states = {row.seat: row.state for row in dealt.called.roster()}
    assert states == {anna.seat: CutState.OPENED, bert.seat: CutState.NO_PLEDGE}


def test_a_pledge_whose_hand_was_void_is_not_called_again(room: Redis) -> None:
    table, [anna, _] = _sitting()
    keep_pledge(anna.user, anna.pk, _pledge(anna))
    state = _granted(room, table)
    recovery.rebuild(room, table.pk, seen_epoch=state.epoch)
    again = _granted(room, table)
    assert again.epoch > state.epoch
    assert again.called is None or again.called.cuts == ()


def test_a_loss_of_postgresql_takes_the_pledge_of_who_arrives(room: Redis) -> None:
    """PostgreSQL may lack the grant that called it, and its seed may be open."""
    table, [anna, _] = _sitting()
    keep_pledge(anna.user, anna.pk, _pledge(anna))
    with connection.cursor() as cursor:
        database_losses.go_on_above(cursor, room)
    anna.refresh_from_db()
    assert (anna.state, bytes(anna.pledge)) == (RingSession.State.ARRIVING, b"")
    assert recovery.adopt(room, 0)
    called = _granted(room, table).called
    assert called is None or called.cuts == ()


def test_no_pledge_of_another_player_or_beside_the_seat(room: Redis) -> None:
    table, [anna, bert] = _sitting()
    assert not keep_pledge(bert.user, anna.pk, _pledge(anna))
    assert not keep_pledge(bert.user, 10**9, _pledge(bert))
    _granted(room, table)
    assert not keep_pledge(anna.user, anna.pk, _pledge(anna)), "the seat takes pledges itself"
    assert {bytes(row.pledge) for row in RingSession.objects.all()} == {b""}


@pytest.mark.parametrize("text", ["", "a" * 63, "A" * 64, "g" * 64, "a" * 65, "a" * 64 + "\n"])
def test_a_malformed_pledge_is_refused(room: Redis, client: Client, text: str) -> None:
    _, [anna, bert] = _sitting()
    assert _post(client, anna.user, anna, text) == 400
    assert _post(client, bert.user, anna, "a" * 64) == 404
    assert bytes(RingSession.objects.get(pk=anna.pk).pledge) == b""
    assert _post(client, anna.user, anna, "a" * 64) == 204
    assert bytes(RingSession.objects.get(pk=anna.pk).pledge) == b"\xaa" * 32


def test_a_pledge_that_comes_after_the_grant_is_answered_with_409(
    room: Redis, client: Client
) -> None:
    table, [anna, _] = _sitting()
    _granted(room, table)
    assert _post(client, anna.user, anna, "a" * 64) == 409


def _post(client: Client, user: User, session: RingSession, text: str) -> int:
    client.force_login(user)
    return client.post(f"/ring/sessions/{session.pk}/pledge", {"pledge": text}).status_code
