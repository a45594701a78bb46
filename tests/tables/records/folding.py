"""A hand that everybody folded but one, and the search for its cards in bytes."""

from __future__ import annotations

from redis import Redis

from tables.dealer.record import HandRecord
from tables.engine.betting import legal_actions
from tables.models import Hand, Table
from tables.records import stored
from tables.workers import advance, recovery
from tests.tables import playing, stages


def play_folded(room: Redis) -> tuple[Table, HandRecord]:
    """A table of three with two settled hands; nobody was shown a card of the second."""
    table = playing.sit_down([2_000] * 3)
    recovery.open_tables(room, [table.pk])
    while not Hand.objects.filter(table=table, number=2).exists():
        state = playing.run(room, table.pk)
        if state.hand_number == 1:
            playing.check_or_call(room, state)
        else:
            assert state.turn is not None and state.hand is not None
            seat = state.turn.seat
            kind = "fold" if legal_actions(state.hand, seat).fold else "check"
            playing.put_in(room, state, state.at(seat).user, stages.act(state, kind))
        advance.advance(room, table.pk)
    kept = stored.decode(bytes(Hand.objects.get(table=table, number=2).record))
    assert kept.result.shown == ()
    return table, kept


def holds(piece: bytes, cards: tuple[str, ...]) -> bool:
    """Return whether cards follow each other in memory or a dump, however they are written."""
    packed = b"".join(b"\xa2" + card.encode() for card in cards)
    texts = (between.join(cards).encode() for between in ('", "', '","', "', '", "&quot;, &quot;"))
    return packed in piece or any(text in piece for text in texts)
