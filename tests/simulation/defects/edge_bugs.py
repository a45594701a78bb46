"""Planted defects between Redis and the viewers: resume, snapshots, frames, shown cards."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from tables.dealer import hiding
from tables.engine import dealing, showdown
from tables.engine.events import CardsShown
from tables.gateway.snapshots import CatchUp
from tables.gateway.streams.recent import Batch, Recent
from tables.gateway.streams.send_queue import SendQueue


def resume_skips() -> AbstractContextManager[Any]:
    """Count the position after a resume one event too far."""
    real = CatchUp._resume

    async def resume(self: Any, feed: Any, follower: Any, after: Any) -> bool:
        found = await real(self, feed, follower, after)
        if found and follower.at is not None:
            follower.at = (follower.at[0], follower.at[1] + 1)
        return found

    return patch.object(CatchUp, "_resume", resume)


def old_epoch_believed() -> AbstractContextManager[Any]:
    """Answer a resume with an offset of an older epoch as if nothing was missed."""
    real = CatchUp._resume

    async def resume(self: Any, feed: Any, follower: Any, after: Any) -> bool:
        if feed.epoch is None or after[0] >= feed.epoch:
            return await real(self, feed, follower, after)
        follower.outbox.events(Batch(feed.stream, after, ()))
        follower.at = feed.last
        return True

    return patch.object(CatchUp, "_resume", resume)


def folded_in_snapshot() -> AbstractContextManager[Any]:
    """Leave the cards of folded seats readable in the open states of tables between hands."""
    real = hiding._seen

    def seen(seat: Any) -> Any:
        return seat.cards if seat.folded else real(seat)

    return patch.object(hiding, "_seen", seen)


def folded_at_showdown() -> AbstractContextManager[Any]:
    """Show the cards of folded seats at the showdown."""
    real = showdown.show_down

    def show_down(play: Any) -> Any:
        found = real(play)
        for seat in play.state.seats:
            if seat.folded and seat.cards:
                play.happen(CardsShown(seat.seat, seat.cards, ""))
        return found

    return patch.object(dealing, "show_down", show_down)


def slow_reader_forgotten() -> AbstractContextManager[Any]:
    """Suppress the report of a slow reader's queue that it has drained."""
    real = SendQueue.__init__

    def begin(self: Any, *, most: int, drained: Any) -> None:
        real(self, most=most, drained=lambda _: None)

    return patch.object(SendQueue, "__init__", begin)


def one_frame_for_all() -> AbstractContextManager[Any]:
    """Send the frame of one seat to all viewers at the same event."""
    real = Recent.after

    def after(self: Any, at: Any, entry: int | None) -> Any:
        made = {at: batch for (_, at), batch in self._batches.items()}
        return made.get(at) or real(self, at, entry)

    return patch.object(Recent, "after", after)
