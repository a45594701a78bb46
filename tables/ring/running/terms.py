"""Rules and pace of a hand of a ring game, as its row has them (R-01, X-02)."""

from __future__ import annotations

from tables.dealer.grants import Timing
from tables.engine.events import Options
from tables.engine.state import Rules
from tables.ring.models import RingGame


def rules(game: RingGame, players: int) -> Rules:
    """Return the rules of a hand with that many players dealt in, with its rake (S-03, R-02)."""
    return Rules(
        variant=game.variant,
        limit=game.limit,
        stakes=game.stakes,
        options=Options(
            face_up=game.face_up,
            muck_secret=game.muck_secret,
            s0_order=game.s0_order,
            rake=game.rake(players),
        ),
    )


def timing(game: RingGame) -> Timing:
    """Return the pace of the tables of a game, in ms."""
    return Timing(
        action_ms=game.action_ms,
        hand_pause_ms=game.hand_pause_ms,
        showdown_pause_ms=game.showdown_pause_ms,
        street_pause_ms=game.street_pause_ms,
        disconnect_ms=game.disconnect_ms,
    )
