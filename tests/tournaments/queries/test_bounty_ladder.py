"""The bounty ladder ranked by the database equals a ranking counted in Python."""

from __future__ import annotations

import random

import pytest
from django.core.paginator import Paginator
from redis import Redis

from tables.models import Table
from tests.tournaments.cast import started
from tests.tournaments.queries.player_names import NAMES
from tournaments.models import Entry, KnockOut, RoomBounty, Tournament
from tournaments.pages import tabs
from tournaments.prizes import bounties
from tournaments.queries import bounty_ladder
from tournaments.queries.bounty_ladder import BountyRow


def any_heads(chance: random.Random) -> Tournament:
    """Bounties that grew, are won, or are paid by the room, many of them equal."""
    tournament = started(12, bounty=500, pro_bounty=chance.choice((0, 700)))
    entries = list(tournament.entries.select_related("user").order_by("pk"))
    for entry in entries:
        entry.name = chance.choice(NAMES)
        entry.state = chance.choice(("seated", "pending", "out", "merged", "won", "unregistered"))
        entry.head = chance.choice((0, 500, 500, 750))
        entry.bounties_won = chance.choice((0, 0, 250, 500))
        entry.save()
        entry.user.is_pro = chance.random() < 0.2
        entry.user.save()
        if chance.random() < 0.3:
            RoomBounty.objects.create(
                tournament=tournament,
                user=entry.user,
                amount=chance.choice((250, 900)),
                paid=chance.random() < 0.5,
            )
    for order, entry in enumerate(entries[:7], start=1):
        hunters = chance.sample(entries, chance.randrange(3))
        KnockOut.objects.create(
            tournament=tournament,
            entry=entry,
            order=order,
            round=0,
            table=Table.objects.order_by("pk")[0],
            hand=order,
            stack=100,
            button_distance=1,
            bounties=[[hunter.pk, 250, 250] for hunter in hunters],
        )
    return tournament


def by_hand(tournament: Tournament) -> list[BountyRow]:
    """Rows of the ladder, counted in Python from every bounty, knock-out and entry."""
    worth = bounties.heads(tournament)
    shares = [share for out in tournament.knock_outs.all() for share in out.bounties]
    found = []
    for entry in tournament.entries.exclude(state__in=("unregistered", "refunded")):
        live = entry.state in Entry.LIVE
        head = worth.get(entry.pk, tournament.bounty) if live else 0
        found.append(((not live, -head, -entry.bounties_won), entry, live, head))
    found.sort(key=lambda one: (one[0], one[1].name.casefold(), one[1].pk))
    return [
        BountyRow(
            rank=1 + sum(other < value for other, *_ in found),
            entry=entry.pk,
            user=entry.user_id,
            name=entry.name,
            live=live,
            head=head,
            by_room=head - entry.head if live else 0,
            knock_outs=sum(hunter == entry.pk for hunter, _, _ in shares),
            won=entry.bounties_won,
        )
        for value, entry, live, head in found
    ]


@pytest.mark.rule("N-04")
@pytest.mark.parametrize("seed", range(3))
def test_the_ladder_equals_the_one_counted_in_python(
    house: Redis, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = any_heads(random.Random(seed))
    rows = by_hand(tournament)
    assert bounty_ladder.ladder(tournament) == rows
    monkeypatch.setattr(tabs, "PLAYERS_PER_PAGE", 4)
    paged = Paginator(rows, 4)
    for page in paged.page_range:
        shown = tabs.tab_context("bounties", tournament, None, str(page))["ladder"]
        assert list(shown) == list(paged.page(page))
        assert shown.paginator.num_pages == paged.num_pages
