"""HTTP requests of bots: deal votes and proposals, re-buys, cash-outs."""

from __future__ import annotations

import random

import pytest

from tables.bots.errands import after_hand, errands
from tables.bots.habits import DEAL_KINDS, Habits
from tables.bots.lobby_rows import LobbyTournament


@pytest.mark.rule("Y-01")
def test_a_bot_votes_and_proposes_now_and_then() -> None:
    vote = {"type": "deal_vote", "tournament": 7, "deal": 9, "share": 100}
    may = {"type": "deals_open", "tournament": 7, "left": 4}
    votes, kinds = set(), set()
    for seed in range(60):
        chance = random.Random(seed)
        [answer] = errands(vote, chance, "fast", Habits())
        assert answer.path == "/tournaments/7/deals/9/votes" and 0 < answer.after_s <= 1
        votes.add(answer.body["yes"])
        for proposal in errands(may, chance, "human", Habits()):
            assert proposal.path == "/tournaments/7/deals"
            kinds.add(proposal.body["kind"])
    assert votes == {False, True} and kinds == set(DEAL_KINDS)
    assert errands({"type": "prize", "tournament": 7}, random.Random(1), "fast", Habits()) == []


@pytest.mark.rule("Y-01")
def test_bots_set_to_always_deal_propose_and_vote_yes() -> None:
    always = Habits(proposes=100, agrees=100, deals=("icm",))
    for seed in range(20):
        chance = random.Random(seed)
        [vote] = errands({"type": "deal_vote", "tournament": 7, "deal": 9}, chance, "fast", always)
        [may] = errands({"type": "deals_open", "tournament": 7}, chance, "fast", always)
        assert (vote.body, may.body) == ({"yes": True}, {"kind": "icm"})


def _row(**known: object) -> LobbyTournament:
    usual = {"state": "running", "start": "scheduled", "entrants": 9, "players_max": 9}
    return LobbyTournament(tournament=7, starting_stack=1_000, **(usual | known))  # type: ignore[arg-type]


@pytest.mark.rule("E-04")
def test_a_short_bot_asks_for_a_rebuy() -> None:
    def asks(row: LobbyTournament, chips: int, tops_up: int = 100) -> list[str]:
        habits = Habits(tops_up=tops_up)
        found = after_hand(row, chips, random.Random(1), "fast", habits)
        assert all(post.look == "/tournaments/7/seat/" for post in found)
        return [post.path for post in found]

    sells = _row(rebuys=True)
    assert asks(sells, 500) == ["/tournaments/7/rebuys"]
    assert asks(sells, 501) == [], "a bot with more than half a stack requests no chips"
    assert asks(sells, 0) == [], "a busted bot gets an offer without a request"
    assert asks(_row(), 100) == [], "a bot requests no re-buy where none is sold"
    assert asks(sells, 500, tops_up=0) == []


@pytest.mark.rule("A-04")
def test_a_bot_cashes_out_after_doubling_chips_with_cash_value() -> None:
    def leaves(row: LobbyTournament, chips: int) -> list[str]:
        found = after_hand(row, chips, random.Random(1), "human", Habits(leaves=100))
        return [post.path for post in found if post.after_s >= 3]

    cash = _row(cash_value=True)
    assert leaves(cash, 2_000) == ["/tournaments/7/leave"]
    assert leaves(cash, 1_999) == leaves(_row(), 5_000) == []
