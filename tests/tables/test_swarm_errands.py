"""Bots answer notices by HTTP: they vote on deals and propose them."""

from __future__ import annotations

import random

import pytest

from tables.swarm.errands import KINDS, errands


@pytest.mark.rule("Y-01")
def test_a_bot_votes_and_proposes_now_and_then() -> None:
    vote = {"type": "deal_vote", "tournament": 7, "deal": 9, "share": 100}
    may = {"type": "deals_open", "tournament": 7, "left": 4}
    votes, kinds = set(), set()
    for seed in range(60):
        chance = random.Random(seed)
        [answer] = errands(vote, chance, "fast")
        assert answer.path == "/tournaments/7/deal/9/vote/" and 0 < answer.after_s <= 1
        votes.add(answer.form["yes"])
        for proposal in errands(may, chance, "human"):
            assert proposal.path == "/tournaments/7/deal/propose/"
            kinds.add(proposal.form["kind"])
    assert votes == {"0", "1"} and kinds == set(KINDS)
    assert errands({"type": "prize", "tournament": 7}, random.Random(1), "fast") == []
