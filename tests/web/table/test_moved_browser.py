"""Ways to the new table of a player whom the room moves while the tournament is paused."""

from __future__ import annotations

import time

import msgspec
import pytest
from playwright.sync_api import Route, expect
from redis import Redis

from accounts.models import User
from accounts.player_notes.models import PlayerNote
from tables.models import Seat, Table
from tables.store import fenced, inbox
from tables.wire.client_commands import Act
from tables.workers import advance, settle
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.tournaments import course
from tests.web.visiting import NETWORK_GONE, Visit, visit
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


def _in_a_hand(room: Redis) -> tuple[User, Entry, int, int]:
    """Start a tournament with two tables; return a player in a hand, the entry and both tables."""
    tournament = course.offer(4, 3)
    user = course.fill(tournament)[0]
    entry = Entry.objects.get(tournament=tournament, user=user)
    own = Seat.objects.get(entry=entry.pk).table_id
    other = Table.objects.exclude(pk=own).get().pk
    for _ in range(100):
        state = fenced.peek(room, own)
        if state is not None and state.phase == "hand":
            break
        advance.advance(room, own)
        settle.settle(room, own)
    return user, entry, own, other


def _moved(room: Redis, entry: Entry, own: int, other: int) -> None:
    """Pause the tournament and move a player to the other table."""
    operations.pause(entry.tournament_id, reason="Fire drill")
    rulings.move(entry.pk, other, actor=None, reason="friends")
    _until_moved(room, own, entry.pk)


def _late(route: Route) -> None:
    """Let the server answer only seconds after everything else on the page."""
    time.sleep(3)
    route.continue_()


@pytest.mark.parametrize("late", [False, True], ids=["at once", "late"])
@pytest.mark.rule("T-08")
def test_a_player_moved_in_a_pause_gets_the_new_seat(
    visit: Visit, site: object, room: Redis, late: bool
) -> None:
    user, entry, own, other = _in_a_hand(room)
    _moved(room, entry, own, other)
    seat = Move.objects.get(entry=entry).to_seat
    page = visit(user, "/wallet/")
    if late:
        page.route("**/js/table/page*.js", _late)
    page.goto(f"{ORIGIN}/tables/{other}/")
    told = f"The room moved you here, to seat {seat}. You play from the next hand."
    expect(page.locator(".notice")).to_have_text(told)


@pytest.mark.rule("T-08")
def test_a_moved_player_finishes_a_note_before_the_page_changes(
    visit: Visit, site: object, room: Redis
) -> None:
    user, entry, own, other = _in_a_hand(room)
    page = visit(user, f"/tables/{own}/")
    page.locator(".seat-open:visible").first.click()
    note = page.get_by_label("Note, only for you")
    note.fill("calls wide")
    _moved(room, entry, own, other)
    expect(page.locator("poker-table[data-seatless]")).to_have_count(1)
    page.wait_for_timeout(500)
    expect(note).to_have_value("calls wide")
    page.get_by_role("button", name="Save the note").click()
    page.wait_for_url(f"**/tables/{other}/")
    assert PlayerNote.objects.get().text == "calls wide"


# Too late for the events of the gap.
_MENDED = """async () => {
  const { line } = await import("/static/js/shared/socket.js");
  for (const [stream, entry] of line().streams) if (stream.startsWith("table:")) entry.last = null;
  delete line().open;
  line().open();
}"""


@pytest.mark.rule("T-08")
def test_a_window_that_only_watches_stays_at_the_table_after_a_reconnect(
    visit: Visit, site: object, room: Redis
) -> None:
    user, entry, own, other = _in_a_hand(room)
    watching = visit(user, f"/tables/{own}/")
    expect(watching.locator("poker-table .seat[data-me]")).to_have_count(1)
    playing = watching.context.new_page()
    playing.goto(f"{ORIGIN}/tables/{own}/")
    playing.get_by_role("button", name="Play here").click()
    expect(watching.locator("poker-table[data-watches]")).to_have_count(1)
    watching.evaluate(NETWORK_GONE)
    _moved(room, entry, own, other)
    playing.wait_for_url(f"**/tables/{other}/")
    watching.evaluate(_MENDED)
    elsewhere = watching.locator(".toast", has_text="You play at another table")
    expect(elsewhere.get_by_role("link", name="To my table")).to_have_attribute(
        "href", f"/tables/{other}/"
    )
    assert watching.url == f"{ORIGIN}/tables/{own}/"
