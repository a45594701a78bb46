"""Windows of bots with browsers: what the pages that they show follow and ask for."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from room_client.messages.commands import AskRank, Subscribe
from room_client.messages.frames import Events, Snapshot, TableSnapshot
from tables.bots.shown_page import CALM_S
from tables.bots.window import RANK_EVERY_S, PageRequest, Window
from tables.dealer import boundary
from tables.engine.events import HandEnded
from tests.tables import stages
from tests.tables.client_side import heard, snapshot

TABLE = (
    '<poker-table data-table="7" data-tournament="3" data-user="2" data-chat data-rail>'
    '</poker-table><aside id="end-panel" data-tournament="3"></aside>'
)
SELLING = TABLE.replace('id="end-panel"', 'id="end-panel" data-sells')
WAITING = (
    '<div id="tournament" data-stream="tournament:3"><div id="tab-panel" data-calm="60000">'
    '<section id="chat-part" data-stream="tournamentchat:3">'
)
SEAT = "/tournaments/3/seat/?table=7"


def window(words: str, page: str = "/tables/7/") -> Window:
    """Window that shows a page with this HTML."""
    made = Window(random.Random(5))
    made.loaded(page, words)
    return made


def field(state: str = "running", **facts: Any) -> Snapshot:
    """Snapshot of a tournament with these facts in its overview."""
    known = {"summary": {"state": state}, "tables_open": 9, "clock_runs": True}
    overview = known | {"hand_for_hand": False} | facts
    raw = msgspec.Raw(msgspec.json.encode({"overview": overview, "tables": []}))
    return Snapshot("tournament:3", "0-9", raw)


def events(*kinds: str, stream: str = "tournament:3", first: int = 10) -> Events:
    """Message with one event of each of these kinds."""
    lines = [{"id": f"0-{first + at}", "type": kind} for at, kind in enumerate(kinds)]
    return Events(stream, [msgspec.Raw(msgspec.json.encode(line)) for line in lines])


def paths(shown: Window) -> list[str]:
    """Addresses that the page asks for now."""
    return [request.path for request in shown.take_requests()]


def test_the_page_of_a_table_follows_its_tournament_and_its_chat() -> None:
    shown = window(TABLE)
    assert shown.welcomed() == [Subscribe("tournament:3"), Subscribe("tablechat:7")]
    shown.took(field(), 0.0)
    shown.took(events("player_out", "player_out"), 0.0)
    assert shown.welcomed()[0] == Subscribe("tournament:3", after="0-11"), "a line that was cut"
    shown.loaded("/tables/7/", TABLE)
    assert shown.welcomed()[0] == Subscribe("tournament:3"), "a page that was loaded anew"


def test_a_ring_table_has_no_field() -> None:
    assert window('<poker-table data-table="7" data-ring="3">').welcomed() == []


def test_a_table_is_asked_for_under_the_name_of_the_window() -> None:
    shown = window(TABLE)
    wish = shown.subscribed(Subscribe("table:7", after="1-4"))
    assert wish == Subscribe("table:7", after="1-4", window=shown.name, ask=True)
    shown.lost("table:7")
    assert shown.take_back() == [Subscribe("table:7", window=shown.name)]
    assert shown.take_back() == []


def test_the_page_of_a_waiting_tournament_is_read_again_in_its_own_time() -> None:
    shown = window(WAITING, "/tournaments/3/")
    assert [wish.stream for wish in shown.welcomed()] == ["tournament:3", "tournamentchat:3"]
    shown.took(field(), 0.0)
    assert paths(shown) == []
    shown.took(events("player_registered"), 0.0)
    [planned] = shown.take_requests()
    assert planned.path == "/tournaments/3/" and 36 <= planned.after_s <= 84
    shown.took(events("player_registered", first=11), 0.0)
    assert shown.take_requests() == [], "one look is planned"
    shown.took(events("started", first=12), 0.0)
    [sooner] = shown.take_requests()
    assert sooner.path == "/tournaments/3/" and 7.2 <= sooner.after_s <= 16.8
    assert shown.address_of(sooner) == "/tournaments/3/"
    shown.took(events("player_registered", first=13), 0.0)
    assert [request.path for request in shown.take_requests()] == ["/tournaments/3/"]


def test_a_page_that_was_read_again_looks_in_its_new_time() -> None:
    shown = window(WAITING.replace("60000", "2000"), "/tournaments/3/")
    shown.answered(PageRequest(0.0, shown.page), WAITING)
    shown.took(events("player_registered"), 0.0)
    [planned] = shown.take_requests()
    assert planned.after_s >= 36


def test_a_page_that_names_no_time_is_read_again_as_before() -> None:
    shown = window(WAITING.replace(' data-calm="60000"', ""), "/tournaments/3/")
    shown.took(events("player_registered"), 0.0)
    [planned] = shown.take_requests()
    assert 0.6 * CALM_S <= planned.after_s <= 1.4 * CALM_S


@pytest.mark.parametrize("kind", ["started", "resumed", "hand_for_hand_ended"])
def test_a_field_that_an_event_leaves_unclear_is_read_anew(kind: str) -> None:
    shown = window(TABLE)
    shown.took(field(), 0.0)
    assert shown.field_again() == []
    shown.took(events(kind), 0.0)
    assert 1.1 <= (shown.field_wait_s or 0) <= 2.0
    assert shown.field_again() == [Subscribe("tournament:3")]
    assert shown.field_again() == []


def test_a_level_is_unclear_only_while_the_clock_stands() -> None:
    shown = window(TABLE)
    shown.took(field(), 0.0)
    shown.took(events("level_began"), 0.0)
    assert shown.field_again() == []
    shown.took(events("paused", "level_began", first=11), 0.0)
    assert shown.field_again() == [Subscribe("tournament:3")]


def test_deals_and_the_end_are_asked_for_at_the_last_table() -> None:
    shown = window(TABLE)
    shown.took(field(tables_open=3), 0.0)
    shown.took(events("table_closed", "player_out", "pool_fixed"), 0.0)
    assert paths(shown) == []
    shown.took(events("table_closed", first=13), 0.0)
    assert paths(shown) == ["/tournaments/3/deal/"]
    shown.took(events("finished", first=14), 0.0)
    assert paths(shown) == ["/tournaments/3/deal/", "/tournaments/3/end/"]
    assert paths(window(TABLE)) == []
    late = window(TABLE)
    late.took(field("finished", tables_open=0), 0.0)
    assert paths(late) == ["/tournaments/3/deal/", "/tournaments/3/end/"]


def test_faces_and_notes_are_asked_for_once_and_the_rank_not_too_often() -> None:
    seen = playing_table()
    own, shown = seen.seats[0], window(SELLING.replace("data-chat", "data-notes data-chat"))
    shown.took(field(), 0.0)
    shown.shown(seen, own, 100.0)
    shown.shown(seen, own, 100.0)
    notes, faces, rank = shown.take_requests()
    assert (notes.path, rank.path) == ("/account/notes.json", SEAT)
    users = ",".join(str(seat.user) for seat in seen.seats)
    assert shown.address_of(faces) == f"/players/faces.json?of={users}"
    shown.shown(seen, own, 100.0 + RANK_EVERY_S - 1)
    assert paths(shown) == []
    over = heard(HandEnded(hand=1, stacks=()))
    shown.happened(over, seen, own, 100.0 + RANK_EVERY_S)
    assert paths(shown) == [SEAT]
    shown.happened(over, seen, None, 200.0)
    assert paths(shown) == [], "a spectator has no rank"


def test_the_rank_is_asked_for_over_the_socket_where_a_hand_sells_nothing() -> None:
    seen = playing_table()
    own, shown = seen.seats[0], window(SELLING)
    shown.took(field(), 0.0)
    over = heard(HandEnded(hand=1, stacks=()))
    answers = {True: [SEAT], False: []}
    shown.shown(seen, own, 0.0)
    assert SEAT in paths(shown), "the page says that the seat may buy"
    for number, (sells, asked) in enumerate(answers.items(), 1):
        shown.answered(PageRequest(0.0, SEAT), f'{{"rank": 3, "sells": {str(sells).lower()}}}')
        shown.happened(over, seen, own, number * RANK_EVERY_S)
        assert paths(shown) == asked
    assert shown.take_questions() == [AskRank("tournament:3", own.chips + own.bet)]
    assert shown.take_questions() == []
    shown.loaded("/tables/7/", TABLE)
    shown.took(field(), 900.0)
    shown.shown(seen, own, 900.0)
    assert SEAT not in paths(shown), "the page says that nothing is sold"
    assert shown.take_questions() == [AskRank("tournament:3", own.chips + own.bet)]


def test_a_rank_is_asked_for_once_seat_and_field_are_known_whichever_comes_last() -> None:
    seen = playing_table()
    own, early, late = seen.seats[0], window(TABLE), window(TABLE)
    question = AskRank("tournament:3", own.chips + own.bet)
    early.shown(seen, own, 1.0)
    assert early.take_questions() == [], "the room does not tell ranks of a field nobody follows"
    early.took(field(), 1.2)
    assert early.take_questions() == [question]
    late.took(field(), 1.0)
    assert late.take_questions() == [], "a page without a seat has no rank"
    late.shown(seen, own, 1.2)
    assert late.take_questions() == [question]


def test_the_page_of_a_table_knows_the_faces_of_who_sat_there_and_that_no_note_is_kept() -> None:
    seen = playing_table()
    first, *others = [seat.user for seat in seen.seats]
    known = f'<script id="seated-faces" type="application/json">{{"users": {others}, "faces": []}}'
    shown = window(TABLE + known + "</script>")
    shown.shown(seen, seen.seats[0], 100.0)
    (faces,) = shown.take_requests()
    assert shown.address_of(faces) == f"/players/faces.json?of={first}"
    known = known.replace(str(others), str([first, *others]))
    shown = window(TABLE + known + "</script>")
    shown.shown(seen, seen.seats[0], 100.0)
    assert paths(shown) == []


def test_a_page_on_its_way_to_a_table_is_not_read_again() -> None:
    waiting = window(WAITING, "/tournaments/3/")
    waiting.noticed("registered")
    balance, page = waiting.take_requests()
    assert not waiting.is_dropped(page)
    waiting.turn_to("/tables/7/")
    assert waiting.is_dropped(page) and not waiting.is_dropped(balance)


def test_notices_renew_the_balance_the_end_and_the_page_of_the_tournament() -> None:
    at_table = window(TABLE)
    at_table.noticed("registered")
    assert paths(at_table) == ["/wallet/balance/"]
    at_table.noticed("prize")
    assert paths(at_table) == ["/wallet/balance/", "/tournaments/3/end/"]
    waiting = window(WAITING, "/tournaments/3/")
    waiting.noticed("registered")
    balance, page = waiting.take_requests()
    assert (balance.path, page.path) == ("/wallet/balance/", "/tournaments/3/")
    assert page.after_s <= 1.4 * CALM_S, "what the player did himself is shown soon"


def test_a_page_that_waits_asks_nothing_about_a_table() -> None:
    shown = window(WAITING, "/tournaments/3/")
    seen = playing_table()
    shown.shown(seen, seen.seats[0], 100.0)
    assert shown.take_requests() == []


def playing_table() -> TableSnapshot:
    """Picture of a table at which three sit."""
    state = stages.empty(3)
    answer = stages.grant(state, stages.roster(900, 900, 900))
    return snapshot(boundary.answer(state, answer, now_ms=stages.START_MS)[0], None)
