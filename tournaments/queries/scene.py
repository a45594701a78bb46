"""Scene that all visitors of a tournament's page see alike, read once a moment for a large field.

Thousands look at one page at its start, and each look counts the field and reads its feed. Who
looks at a small field sees each change at once.
"""

from __future__ import annotations

from collections.abc import Hashable

import msgspec
from django.utils.translation import get_language

from config import limits
from config.shared_value import SharedValues
from tournaments import rows
from tournaments.events import outbox
from tournaments.models import Tournament
from tournaments.queries import feed, overview, show
from tournaments.queries.feed import FeedRow
from tournaments.queries.overview import Overview
from tournaments.queries.show import Leader, Out

SHOWN_ROWS = 5
FEED_LINES = 12


class Scene(msgspec.Struct, frozen=True):
    """A tournament at a glance with no visitor's own part, in one language.

    `at` is the offset of its stream before all else was read: an event after it is not contained,
    perhaps, and makes the page ask again.
    """

    at: str
    overview: Overview
    leaders: list[Leader]
    out: list[Out]
    feed: list[FeedRow]


_scenes: SharedValues[Hashable, Scene] = SharedValues(
    seconds=limits.SCENE_SHARED_MS / 1_000, kept=limits.SCENES_KEPT_MAX
)


def scene(tournament: Tournament) -> Scene:
    """Return the scene of a tournament.

    Above SCENE_SHARED_FROM entrants it is up to SCENE_SHARED_MS old, but never of another state.
    """
    if tournament.entrants <= limits.SCENE_SHARED_FROM:
        return _read(tournament)
    states = (
        tournament.state,
        bool(tournament.stops),
        tournament.final_table,
        tournament.hand_for_hand,
        tournament.entries_open,
        tournament.rebuys_open,
        tournament.stage,
    )
    return _scenes.get((tournament.pk, get_language(), states), lambda: _read(tournament))


def forget_scenes() -> None:
    """Forget all scenes that were read."""
    _scenes.forget()


def _read(seen: Tournament) -> Scene:
    # 1. The offset comes first: what happens meanwhile has a later one.
    at = f"0-{outbox.head(outbox.tournament(seen.pk))}"
    # 2. Later readers come with this call as well, for whom `seen` is too old.
    tournament = rows.find_tournament(seen.pk) or seen
    return Scene(
        at,
        overview.overview(tournament),
        show.chip_leaders(tournament, SHOWN_ROWS),
        show.last_out(tournament, SHOWN_ROWS),
        feed.feed(tournament, FEED_LINES),
    )
