"""Course of a called hand, chained while it is played: nobody replays a hand to log its end."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tables.dealer.state import BEING_PLAYED, TableState
from tables.engine.events import CardsShown, HandEnded, HoleCardsDealt
from tables.engine.visibility import view
from tables.fairness.course import event_line, first_link, line_link
from tables.wire.table_events import TableEvent


def followed(before: TableState, after: TableState, events: Sequence[TableEvent]) -> TableState:
    """Return the table after a step with its course, on by the events of this step.

    b"" for a hand that was not called, that an older release began, and one after whose end a
    player showed cards, which its log does not tell as part of the hand.
    """
    called = after.called
    if not events or called is None or called.sealed.hand != after.hand_number:
        return after
    if before.phase not in ("granted", *BEING_PLAYED):
        shown = any(isinstance(event, CardsShown) for event in events)
        return replace(after, course=b"") if shown and after.course else after
    link = before.course
    if before.phase == "granted":
        link = first_link(called.sealed.hand_id, called.sealed.seal)
    elif not link:
        return after
    has_ended = False
    for event in events:
        if has_ended:
            if isinstance(event, CardsShown):
                return replace(after, course=b"")
            continue
        # Only cards are seen otherwise by all: other fields of no line depend on the viewer.
        line = event_line(view(event, None) if isinstance(event, HoleCardsDealt) else event)
        if line is not None:
            link = line_link(link, line)
        has_ended = isinstance(event, HandEnded)
    return replace(after, course=link)
