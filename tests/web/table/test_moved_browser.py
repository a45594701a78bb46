"""Notice at the new table for a player the room moves while the tournament is paused."""

from __future__ import annotations

import time

import msgspec
import pytest
from playwright.sync_api import Route, expect
from redis import Redis

from tables.models import Seat, Table
from tables.store import fenced, inbox
from tables.wire.client_commands import Act
from tables.workers import advance, settle
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.tournaments import course
from tests.web.visiting import Visit, visit
from tournaments.models import Entry, Move
from tournaments.running import operations, rulings

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


def _fold(room: Redis, table: int) -> None:
    """Fold for the seat to act."""
    state = fenced.peek(room, table)
    assert state is not None and state.turn is not None
    act = Act(
        id=f"fold{state.seq}",
        table=table,
        epoch=state.epoch,
        hand=state.hand_number,
        turn=state.turn.turn,
        action="fold",
    )
    user = state.at(state.turn.seat).user
    assert inbox.append(room, table, user, msgspec.json.encode(act)).status == "accepted"


def _until_moved(room: Redis, table: int, entry: int) -> None:
    """Play the hand to its end by folds; the move happens at the following boundary."""
    for _ in range(100):
        if Move.objects.filter(entry=entry, state=Move.State.LEFT).exists():
            return
        state = fenced.peek(room, table)
        if state is not None and state.phase in ("finished", "boundary"):
            settle.settle(room, table)
        else:
            if state is not None and state.turn is not None:
                _fold(room, table)
            advance.advance(room, table)
    raise AssertionError("no player was moved")


def _late(route: Route) -> None:
    """Let the server answer only seconds after everything else on the page."""
    time.sleep(3)
    route.continue_()


@pytest.mark.parametrize("late", [False, True], ids=["at once", "late"])
@pytest.mark.rule("T-08")
def test_a_player_moved_in_a_pause_gets_the_new_seat(
    visit: Visit, site: object, room: Redis, late: bool
) -> None:
    tournament = course.offer(4, 3)
    users = course.fill(tournament)
    entry = Entry.objects.get(tournament=tournament, user=users[0])
    own = Seat.objects.get(entry=entry.pk).table_id
    other = Table.objects.exclude(pk=own).get().pk
    for _ in range(100):
        state = fenced.peek(room, own)
        if state is not None and state.phase == "hand":
            break
        advance.advance(room, own)
        settle.settle(room, own)
    operations.pause(tournament.pk, reason="Fire drill")
    rulings.move(entry.pk, other, actor=None, reason="friends")
    _until_moved(room, own, entry.pk)
    seat = Move.objects.get(entry=entry).to_seat
    page = visit(users[0], "/wallet/")
    if late:
        page.route("**/js/table/page*.js", _late)
    page.goto(f"{ORIGIN}/tables/{other}/")
    told = f"The room moved you here, to seat {seat}. You play from the next hand."
    expect(page.locator(".notice")).to_have_text(told)
