"""Finished hands of a game for money: rake, posts and amounts on the pages of hands."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from msgspec.structs import replace
from redis import Redis

from tables.dealer.grants import Answer, Grant
from tables.engine.events import Options, Rake
from tables.engine.positions import next_positions
from tables.engine.state import Positions, Post
from tables.models import Table
from tables.wire.client_commands import Act
from tables.workers import advance, recovery
from tests.tables import playing

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "for money"
RAKE = Options(rake=Rake(basis_points=500, minimum=1, maximum=300))


class ForMoney(playing.LastOneWins):
    """Game with rake whose seat left of the big blind straddles, and whose last seat pays dead."""

    def next(self, table: int, hand: int) -> Answer:
        """Grant the hand with these posts from the second hand on."""
        granted = super().next(table, hand)
        assert isinstance(granted, Grant)
        rules = replace(granted.rules, options=RAKE)
        posts = self._posts(Table.objects.get(pk=table), granted)
        roster = tuple(replace(row, posts=posts.get(row.seat, ())) for row in granted.roster)
        return replace(granted, rules=rules, roster=roster)

    def _posts(self, row: Table, granted: Grant) -> dict[int, tuple[Post, ...]]:
        if row.button is None:
            return {}
        before = Positions(row.button, row.small_blind, row.big_blind, ())
        seats = tuple(seat.seat for seat in granted.roster)
        dealt = next_positions(before, seats, frozenset()).dealt
        return {dealt[2]: (Post("straddle", 200),), dealt[3]: (Post("dead", 35),)}


def _called_and_checked(room: Redis, table: Table) -> None:
    state = playing.run(room, table.pk)
    hand = state.hand_number
    while state.hand_number == hand:
        assert state.turn is not None and state.hand is not None
        level = state.hand.level
        act = Act(
            id=f"{hand}-{state.turn.turn}",
            table=state.table,
            epoch=state.epoch,
            hand=hand,
            turn=state.turn.turn,
            action="check" if state.hand.seat(state.turn.seat).bet == level else "call",
        )
        playing.put_in(room, state, state.at(state.turn.seat).user, act)
        advance.advance(room, table.pk)
        state = playing.run(room, table.pk)


@pytest.mark.rule("R-02", "H-09")
def test_hands_for_money_show_rake_posts_and_money(room: Redis, client: Client) -> None:
    played_by = playing.registered(NAME, ForMoney, for_money=True)
    table = playing.sit_down([10_000] * 5, played_by=played_by)
    recovery.open_tables(room, [table.pk])
    for _ in range(2):
        _called_and_checked(room, table)
    page = client.get(f"/tables/{table.pk}/hands/").content.decode()
    assert page.count('data-label="Rake"') == 2
    # Five seats call the straddle of 2.00, and 0.35 is dead: 10.35, of which 5 % are rake.
    assert re.search(
        r'data-label="Pot">10.35</td>\s*<td class="number" data-label="Rake">0.51<', page
    )
    page = client.get(f"/tables/{table.pk}/hands/2/").content.decode()
    assert 'data-chips="money"' in page
    found = re.search(r'<script id="replay" type="application/json">(.*?)</script>', page)
    assert found is not None
    events = json.loads(found[1])["events"]
    posted = [event["kind"] for event in events if event["type"] == "posted"]
    assert sorted(posted) == ["big_blind", "dead", "small_blind", "straddle"]
    [award] = [event for event in events if event["type"] == "pot_awarded"]
    assert award["amount"] == 1_035 and award["rake"] == 51
    assert sum(share["amount"] for share in award["winners"]) == 1_035 - 51
