"""Disqualification of a player with an open offer to buy again."""

from __future__ import annotations

import pytest
from redis import Redis

from tests.tournaments.buying.rebuy_scene import bust, open_rebuy_offer, rebuys
from tournaments.models import KnockOut, Ruling, Tournament
from tournaments.monitor import audit
from tournaments.running import sales

HAND_STEPS_MAX = 60


@pytest.mark.rule("T-15")
@pytest.mark.parametrize("buy", [True, False])
def test_a_disqualified_player_who_busts_in_that_hand_is_out_once(house: Redis, buy: bool) -> None:
    tournament = rebuys(4)
    arena, entry = bust(tournament)
    [table] = arena.tables()
    Ruling.objects.create(tournament=tournament, entry=entry, kind="disqualify", reason="why")
    Tournament.objects.update(rulings=1)
    assert arena.step(table) == "rebuy", "the offer made before is answered first"
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=buy)
    for _ in range(HAND_STEPS_MAX):
        arena.step(table)
        entry.refresh_from_db()
        if entry.state in ("disqualified", "out"):
            break
    assert entry.state == ("disqualified" if buy else "out")
    assert bool(entry.dead_chips) is buy
    assert KnockOut.objects.filter(entry=entry).count() == 1
    assert not audit.audit_tournaments(tournament.pk)
