"""Clock of a tournament as its row stores it, and what was told of its levels."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.engine.levels import Clock, Mark


class ClockColumns(models.Model):
    """The columns of `tournaments.engine.levels.Clock` and `Mark` (T-13, L-05).

    Times ending in `_ms` in milliseconds since the epoch.
    """

    started_ms = models.PositiveBigIntegerField(null=True, blank=True, editable=False)
    stopped_ms = models.PositiveBigIntegerField(default=0, editable=False)
    charged_ms = models.PositiveBigIntegerField(default=0, editable=False)
    stopped_since_ms = models.PositiveBigIntegerField(null=True, blank=True, editable=False)
    stops = models.JSONField(default=list, editable=False)
    heartbeat_ms = models.PositiveBigIntegerField(null=True, blank=True, editable=False)
    mark_index = models.PositiveSmallIntegerField(default=0, editable=False)
    mark_elapsed_ms = models.PositiveBigIntegerField(default=0, editable=False)
    mark_hands = models.PositiveIntegerField(default=0, editable=False)
    told_index = models.IntegerField(
        default=-1, editable=False, help_text=_("item of the structure last announced")
    )
    told_hands = models.PositiveIntegerField(
        null=True,
        editable=False,
        help_text=_("hands left of a level by hands, as they were last told"),
    )

    class Meta:
        abstract = True

    def clock(self) -> Clock:
        """The clock as the engine reads it, only after the start."""
        assert self.started_ms is not None, "only a started tournament has a clock"
        return Clock(
            started_ms=self.started_ms,
            stopped_ms=self.stopped_ms,
            charged_ms=self.charged_ms,
            stopped_since_ms=self.stopped_since_ms,
            stops=tuple(self.stops),
        )

    def set_clock(self, clock: Clock) -> None:
        """Set the fields of the clock, unsaved."""
        self.started_ms = clock.started_ms
        self.stopped_ms = clock.stopped_ms
        self.charged_ms = clock.charged_ms
        self.stopped_since_ms = clock.stopped_since_ms
        self.stops = list(clock.stops)

    def go_on_at(self, now_ms: int) -> None:
        """Count a clock that runs again as just ticked: its stop was no outage."""
        if not self.stops:
            self.heartbeat_ms = now_ms

    def mark(self) -> Mark:
        """The start of the item of the structure last seen."""
        return Mark(self.mark_index, self.mark_elapsed_ms, self.mark_hands)

    def set_mark(self, mark: Mark) -> None:
        """Set the fields of the mark, unsaved."""
        self.mark_index = mark.index
        self.mark_elapsed_ms = mark.elapsed_ms
        self.mark_hands = mark.hands
