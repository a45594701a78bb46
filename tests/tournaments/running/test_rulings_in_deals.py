"""Disqualifications at a final table where a deal is proposed or voted on."""

from __future__ import annotations

import pytest
from redis import Redis

from tests.tournaments.events.announced import tournament_event_types
from tests.tournaments.running.final_table import FinalTable
from tests.tournaments.running.finished import assert_finished
from tournaments.models import Entry
from tournaments.running import deals, rulings

WHY = "plays from two accounts"


@pytest.mark.rule("T-15")
@pytest.mark.rule("Y-03")
def test_a_disqualification_ends_an_open_vote_and_the_others_deal_without_that_player(
    house: Redis,
) -> None:
    final = FinalTable()
    deal = final.opened()
    cheat = Entry.objects.get(user=final.users[1])
    rulings.disqualify(cheat.pk, actor=None, reason=WHY)
    deal.refresh_from_db()
    assert deal.state == "refused"
    assert tournament_event_types(final.tournament)[-1] == "deal_refused"
    final.refuse(
        "deal_over", lambda: deals.vote(final.users[2], deal.tournament_id, deal.pk, yes=True)
    )
    assert final.arena.step(final.table) == "grant"
    cheat.refresh_from_db()
    assert (cheat.state, cheat.place, cheat.prize) == ("disqualified", 4, 0)
    again = final.opened("equal")
    for user in final.users[1:]:
        deals.vote(user, again.tournament_id, again.pk, yes=True)
    assert_finished(final.tournament)
    cheat.refresh_from_db()
    assert (cheat.state, cheat.prize) == ("disqualified", 0)


@pytest.mark.rule("T-15")
@pytest.mark.rule("Y-03")
@pytest.mark.parametrize("proposer", [0, 1])
def test_a_proposed_deal_keeps_no_disqualified_player_at_the_table(
    house: Redis, proposer: int
) -> None:
    final = FinalTable()
    assert final.arena.step(final.table) == "grant"
    cheat = Entry.objects.get(user=final.users[0])
    rulings.disqualify(cheat.pk, actor=None, reason=WHY)
    deal = deals.propose(final.users[proposer], final.tournament.pk, "equal")
    assert final.arena.step(final.table) == "hand" and final.arena.step(final.table) == "settled"
    answer = final.arena.step(final.table)
    cheat.refresh_from_db()
    assert (cheat.state, cheat.place) == ("disqualified", 4)
    deal.refresh_from_db()
    by_cheat = proposer == 0
    assert (answer, deal.state) == (("grant", "refused") if by_cheat else ("deal", "open"))
    assert cheat.pk not in dict(deal.shares)
