"""Window of a bot's browser: the page it shows, the streams that page follows, what it asks for.

A page of the room does the same in `static/js`; a test compares both with a real browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random

import msgspec

from room_client import wire
from room_client.messages.commands import AskRank, Subscribe
from room_client.messages.frames import Events, SeatSnapshot, Snapshot, TableSnapshot
from room_client.messages.hands import HandEnded
from room_client.messages.streams import TableEvent
from room_client.messages.tables import SeatTaken
from tables.bots.shown_page import CALM_S, ShownPage, decode_field, decode_seat

LOBBY = "/"
RANK_EVERY_S = 15.0
FACES, FACES_WAIT_S = "/players/faces.json", 0.2
FACES_AT_ONCE_MAX = 20
FIELD_WAIT_S = (1.1, 2.0)
CALM_SPREAD = (0.6, 1.4)
PING_AFTER_S, URGENT_PING_AFTER_S, PING_EVERY_S = 6.5, 1.4, 20.0
SILENCE_MAX_S = 8.0
_TURNS = frozenset({"started", "finished", "cancelled", "paused", "resumed", "final_table"})
SOONER = 0.2
"""After these events the page of a tournament is read again so many times sooner."""
_UNCLEAR = frozenset({"started", "resumed", "hand_for_hand_ended"})
"""Events after which only a snapshot tells the field of a tournament."""
_UNCLEAR_STANDING = frozenset({"level_began", "level_prolonged", "break_began", "deal_refused"})
"""Events that are as unclear while the clock of a tournament stands."""
_DEALING = frozenset(
    {
        *("deal_proposed", "deal_opened", "deal_voted", "deal_refused", "deal_agreed"),
        *("final_table", "player_out", "started", "finished", "pool_fixed", "table_closed"),
    }
)
"""Events after which the panel of a deal shows something else, at the last table."""
_ENDS = frozenset({"finished", "player_placed"})
"""Events after which the screen at the end of a tournament may show something."""

_OWN_ENDS = frozenset({"knocked_out", "prize", "named_prize", "tournament_over"})
_MONEY = frozenset(
    {
        *("offer_ended", "registered", "unregistered", "prize", "bounty", "ticket_closed"),
        *("ring_seat_freed", "jackpot_fell", "tournament_cancelled"),
    }
)
"""Notices after which the balance may be another."""


class PageRequest(msgspec.Struct, frozen=True):
    """Address that a page reads `after_s` seconds from now."""

    after_s: float
    path: str


class Window:
    """Window that shows one page of the room after another, with the name that the room knows."""

    def __init__(self, chance: Random) -> None:
        self.name = f"{chance.getrandbits(60):x}"
        self.page = ""
        self.wanted = ""
        self.pages_shown = 0
        self._chance = chance
        self._requests: list[PageRequest] = []
        self._questions: list[AskRank] = []
        self._facts = ShownPage()

    def turn_to(self, page: str) -> None:
        """Ask for a page; the one that is shown stays until it has come."""
        self.wanted = page

    def take_requests(self) -> list[PageRequest]:
        """Return what the page asks for since the last call."""
        taken, self._requests = self._requests, []
        return taken

    def take_questions(self) -> list[AskRank]:
        """Return what the page asks for over its socket since the last call."""
        taken, self._questions = self._questions, []
        return taken

    def is_dropped(self, asked: PageRequest) -> bool:
        """Return whether a request comes to nothing: a page that is left is not read again."""
        return bool(self.wanted) and asked.path == self.page

    def loaded(self, page: str, words: str) -> None:
        """Show a page whose HTML has come: it begins to follow its streams on a new connection."""
        self.page = page
        self.pages_shown += 1
        if self.wanted == page:
            self.wanted = ""
        self._facts = ShownPage.of(words)
        self._requests.clear()
        self._questions.clear()

    def welcomed(self) -> list[Subscribe]:
        """Return the subscriptions of the page beside those of the player's own tables."""
        return [Subscribe(stream, after=last) for stream, last in self._facts.streams.items()]

    def took(self, message: Snapshot | Events, now_s: float) -> None:
        """Take in a message of a stream of the page."""
        if message.stream not in self._facts.streams:
            return
        if isinstance(message, Snapshot):
            self._facts.streams[message.stream] = message.id
            if message.stream.startswith("tournament:"):
                self._field_is(message, now_s)
            return
        for raw in message.events:
            self._facts.streams[message.stream] = wire.event_id(raw)
        if message.stream.startswith("tournament:") and message.events:
            kinds = [str(wire.facts(raw)["type"]) for raw in message.events]
            self._field_changed(message.stream, kinds)

    def shown(self, seen: TableSnapshot, own: SeatSnapshot | None, now_s: float) -> None:
        """Take in the picture of a table: unknown faces, the notes on players and the own rank."""
        if not self._facts.table:
            return
        if self._facts.has_notes:
            self._facts.has_notes = False
            self._ask(0.0, "/account/notes.json")
        self._look_at_faces(seen)
        self._ask_rank(own, now_s)

    def happened(
        self, event: TableEvent, seen: TableSnapshot, own: SeatSnapshot | None, now_s: float
    ) -> None:
        """Take in an event of a table, which the picture has."""
        match event:
            case HandEnded():
                self._ask_rank(own, now_s)
            case SeatTaken():
                self._look_at_faces(seen)
            case _:
                pass

    def noticed(self, kind: str) -> None:
        """Take in a notice to the player: the balance, the own end, the page of the tournament."""
        if kind in _MONEY:
            self._ask(0.0, "/wallet/balance/")
        if self._facts.tournament and kind in _OWN_ENDS:
            self._ask(0.0, f"/tournaments/{self._facts.tournament}/end/")
        if not self._facts.table and self._facts.streams:
            self._refresh(CALM_S)

    def lost(self, stream: str) -> None:
        """Note a table that another window plays."""
        self._facts.lost.add(stream)

    def take_back(self) -> list[Subscribe]:
        """Return the subscriptions that take the lost tables again, as a click on the page does."""
        lost, self._facts.lost = self._facts.lost, set()
        return [Subscribe(stream, window=self.name) for stream in sorted(lost)]

    def subscribed(self, wish: Subscribe) -> Subscribe:
        """Return the subscription to a table as a page asks for it."""
        return Subscribe(wish.stream, after=wish.after, window=self.name, ask=True)

    def field_again(self) -> list[Subscribe]:
        """Return the subscription that asks for a fresh snapshot of the field, if one is due."""
        is_due, self._facts.is_field_due = self._facts.is_field_due, False
        return [Subscribe(f"tournament:{self._facts.tournament}")] if is_due else []

    def address_of(self, asked: PageRequest) -> str:
        """Return the address of a request that is due: what happens from now on is in no answer."""
        if asked.path == self.page:
            self._facts.refreshes_in_s = inf
        if asked.path != FACES:
            return asked.path
        self._facts.looks_at_faces = False
        users = self._unknown()
        self._facts.faces.update(users)
        return f"{FACES}?of={','.join(map(str, users))}"

    def answered(self, asked: PageRequest, words: str) -> None:
        """Take in an answer: of the page itself, read again, its calm; of the seat, its sales."""
        if asked.path == self.page:
            self._facts.calm_s = ShownPage.of(words).calm_s
        elif asked.path == self._seat_path:
            self._facts.sells = decode_seat(words).sells

    @property
    def field_wait_s(self) -> float | None:
        """Return the seconds until a fresh snapshot of the field is asked for; None for none."""
        return self._chance.uniform(*FIELD_WAIT_S) if self._facts.is_field_due else None

    # ---- the page ----

    def _ask(self, after_s: float, path: str) -> None:
        self._requests.append(PageRequest(after_s, path))

    def _field_is(self, message: Snapshot, now_s: float) -> None:
        if not self._facts.table:
            return
        self._facts.has_field = True
        self._ask_known_rank(now_s)
        overview = decode_field(message.state).overview
        self._facts.stands = overview.hand_for_hand or not overview.clock_runs
        self._facts.tables_open = overview.tables_open
        if overview.tables_open <= 1:
            self._ask(0.0, f"/tournaments/{self._facts.tournament}/deal/")
        if overview.summary.state == "finished":
            self._ask(0.0, f"/tournaments/{self._facts.tournament}/end/")

    def _field_changed(self, stream: str, kinds: Sequence[str]) -> None:
        if not self._facts.table:
            calm_s = self._facts.calm_s
            is_turn = not _TURNS.isdisjoint(kinds)
            self._refresh(max(CALM_S, calm_s * SOONER) if is_turn else calm_s)
            return
        for kind in kinds:
            self._facts.tables_open += (kind == "table_opened") - (kind == "table_closed")
            if kind in _UNCLEAR or (kind in _UNCLEAR_STANDING and self._facts.stands):
                self._facts.is_field_due = True
            self._facts.stands |= kind in ("paused", "hand_for_hand_began", "deal_opened")
            if kind in _DEALING and self._facts.tables_open <= 1:
                self._ask(0.0, f"/tournaments/{self._facts.tournament}/deal/")
            if kind in _ENDS:
                self._ask(0.0, f"/tournaments/{self._facts.tournament}/end/")

    def _refresh(self, calm_s: float) -> None:
        """Read the page itself again in about this time, unless that is planned for sooner."""
        if calm_s < self._facts.refreshes_in_s:
            self._facts.refreshes_in_s = calm_s
            self._ask(calm_s * self._chance.uniform(*CALM_SPREAD), self.page)

    def _look_at_faces(self, seen: TableSnapshot) -> None:
        """Ask for the faces of newcomers together: seats are taken in bursts."""
        self._facts.users = [seat.user for seat in seen.seats]
        if self._unknown() and not self._facts.looks_at_faces:
            self._facts.looks_at_faces = True
            self._ask(FACES_WAIT_S, FACES)

    def _unknown(self) -> list[int]:
        unknown = [user for user in self._facts.users if user not in self._facts.faces]
        return sorted(unknown[:FACES_AT_ONCE_MAX])

    def _ask_rank(self, own: SeatSnapshot | None, now_s: float) -> None:
        self._facts.own_stack = None if own is None else own.chips + own.bet
        self._ask_known_rank(now_s)

    def _ask_known_rank(self, now_s: float) -> None:
        """Ask for the own rank, not too often, once seat and field are known."""
        facts = self._facts
        if facts.own_stack is None or not facts.has_field:
            return
        if facts.rank_asked_s is not None and now_s - facts.rank_asked_s < RANK_EVERY_S:
            return
        facts.rank_asked_s = now_s
        if facts.sells:
            self._ask(0.0, self._seat_path)
        else:
            self._questions.append(AskRank(f"tournament:{facts.tournament}", facts.own_stack))

    @property
    def _seat_path(self) -> str:
        return f"/tournaments/{self._facts.tournament}/seat/?table={self._facts.table}"
