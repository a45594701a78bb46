"""Batches of places that waited for the end of sales against one transaction, for seeded fields."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.utils import timezone
from redis import Redis

from accounts.models import Posting
from tables.models import Seat, Table
from tests.samples import size
from tests.tournaments.cast import law, started
from tests.tournaments.prizes.satellite_events import target
from tests.tournaments.running.batches.batch_cast import BOUNTIES, undone
from tournaments import chips_in_play
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Announcement, Deal, Entry, KnockOut, Tournament
from tournaments.monitor import audit
from tournaments.prizes import deal_field
from tournaments.running import batches, operations, rulings, settlement, tick

PLAYERS = 16
PAID = [2_500, 1_800, 1_500, 1_200, 1_000, 800, 600, 400, 200]
SHARES = [{"fewest": 2, "most": 100, "shares": PAID}]
SALES: dict[str, Any] = {
    "start": "scheduled",
    "late_ends": "at_left",
    "late_value": 1,
    "deals_allowed": True,
}
PLAIN: dict[str, Any] = {"bubble_places": 0, "bubble_final": 0, "payout_table": SHARES}

Plan = list[tuple[str, int]]
Outcome = tuple[list[Any], list[Any], list[Any], list[Any]]

OPTIONS: dict[str, Callable[[], dict[str, Any]]] = {
    "paid": lambda: PLAIN,
    "few paid": lambda: PLAIN | {"payout_table": [SHARES[0] | {"shares": [6_000, 4_000]}]},
    "bounties": lambda: PLAIN | BOUNTIES,
    "bounties at the end": lambda: PLAIN | BOUNTIES | {"bounties_at_end": True},
    "hand-for-hand": lambda: {"payout_table": SHARES, "bubble_places": 2, "bubble_final": 3},
    "satellite": lambda: {
        "format": "satellite",
        "target": target(350),
        "buy_in": 100,
        "deals_allowed": False,
        "bubble_places": 0,
        "bubble_final": 0,
    },
    "several at once": lambda: PLAIN | {"entries_max": 2, "several_at_once": True},
}
ENDS = ["stays", "is won", "is shared", "is dealt"]


def _plan(chance: random.Random, end: str) -> Plan:
    """Return the steps of a tournament: what happens, and with which seed."""
    begin = [("out", chance.random()) for _ in range(chance.randint(4, 5))]
    sold = [(chance.choice(["closed", "closed by an out"]), chance.random())]
    kinds = ["tick", "tick", "out", "expelled"]
    meanwhile = [(chance.choice(kinds), chance.random()) for _ in range(chance.randint(2, 7))]
    return [(what, int(seed * 1e6)) for what, seed in [*begin, *sold, *meanwhile, (end, 0.0)]]


@pytest.mark.rule("E-07")
@pytest.mark.rule("T-07")
@pytest.mark.parametrize("seed", range(size(8, 84)))
def test_batches_of_two_give_what_one_transaction_gives(
    house: Redis, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    options, end = list(OPTIONS)[seed % len(OPTIONS)], ENDS[seed % len(ENDS)]
    starts_at = timezone.now() + timedelta(hours=1)
    tournament = started(
        PLAYERS, seats_per_table=4, starts_at=starts_at, **(SALES | OPTIONS[options]())
    )
    plan = _plan(random.Random(seed), end)
    with undone():
        expected, at_once = _outcome(tournament, plan)
    monkeypatch.setattr(batches, "ENTRIES", 2)
    monkeypatch.setattr(batches, "LOOKED_AT", 2)
    assert _outcome(tournament, plan)[0] == expected
    law(tournament.pk)
    assert at_once, "one transaction gave what waited"


def _outcome(tournament: Tournament, plan: Plan) -> tuple[Outcome, bool]:
    """Play the plan; return places, postings, events and notices, and whether nobody ever waited
    for a tick after the end of sales.
    """
    before, at_once = Posting.objects.count(), True
    told = Announcement.objects.count()
    for what, seed in plan:
        _do(tournament, what, random.Random(seed))
        tournament.refresh_from_db()
        at_once &= not settlement.is_placing(tournament)
        assert connection.in_atomic_block or audit.audit_tournaments() == []
        _from_the_last_up(tournament)
    for _ in range(2 * PLAYERS):
        if not (settlement.is_placing(tournament) or tournament.is_paying):
            break
        tick.tick(tournament.pk)
        assert connection.in_atomic_block or audit.audit_tournaments() == []
        tournament.refresh_from_db()
    else:
        pytest.fail("the batches come to no end")
    places = tournament.entries.order_by("pk").values_list("pk", "state", "place", "prize")
    postings = Posting.objects.order_by("pk").values_list(
        *("transfer__key", "account__kind", "account__user", "account__ref", "amount")
    )
    events = Announcement.objects.order_by("pk")[told:].values_list("stream", "payload")
    shown = [(stream, _bare(bytes(payload))) for stream, payload in events]
    # A slow machine is charged for an outage, and levels begin by its clock.
    timely = ("resumed", "level_began", "break_began", "hands_left")
    field = [event for stream, event in shown if stream == tournament.member]
    field = [event for event in field if event["type"] not in timely]
    # Batches tell places between other events.
    placed = sorted((event for event in field if event["type"] == "player_placed"), key=str)
    field = placed + [event for event in field if event not in placed]
    assert len({event["entry"] for event in placed}) == len(placed), "each is told once"
    notices = sorted(str(event) for event in shown if event[0].startswith("user:"))
    return (list(places), sorted(map(str, postings[before:])), field, notices), at_once


def _do(tournament: Tournament, what: str, chance: random.Random) -> None:
    tournament.refresh_from_db()
    if what == "is shared" and tournament.state == "running":
        operations.cancel_forward(tournament.pk, reason="flood")
    elif what == "tick":
        tick.tick(tournament.pk)
    elif what.startswith("closed"):
        left = tournament.left - what.endswith("out")
        Tournament.objects.filter(pk=tournament.pk).update(late_value=left)
        if what.endswith("out"):
            _out(tournament, chance)
        else:
            tick.tick(tournament.pk)
    elif what in ("out", "expelled"):
        _out(tournament, chance, expelled=what == "expelled")
    elif what == "is dealt" and tournament.state == "running" and tournament.deals_allowed:
        _deal(tournament)
    elif what == "is won":
        while Tournament.objects.get(pk=tournament.pk).state == "running":
            tournament.refresh_from_db()
            if tournament.round_open or tournament.left == 1:
                break
            _out(tournament, chance)


def _deal(tournament: Tournament) -> None:
    """Let those that are left agree on equal shares."""
    stacks = chips_in_play.by_entry(tournament)
    Deal.objects.create(
        tournament=tournament,
        proposed_by_id=min(stacks),
        kind=Deal.Kind.EQUAL,
        state=Deal.State.AGREED,
        shares=deal_field.shares(tournament, "equal", stacks),
    )
    with tournament_transaction(tournament.pk) as tx:
        settlement.review_prizes(tx)


def _out(tournament: Tournament, chance: random.Random, *, expelled: bool = False) -> None:
    """Let a hand knock out some of a table, often with equal stacks, or the room expel a player."""
    seats = list(Seat.objects.filter(table__game=tournament.pk).order_by("pk"))
    if len(seats) < 2:
        return
    chance.shuffle(seats)
    heir, *others = seats
    outs = others[:1] if expelled else others[: chance.randint(1, min(3, len(others)))]
    with tournament_transaction(tournament.pk) as tx:
        if tx.tournament.state != "running":
            return
        Seat.objects.filter(pk__in=[seat.pk for seat in outs]).delete()
        if expelled:
            entry = Entry.objects.get(pk=outs[0].entry)
            ruling = rulings.make(tx, entry, "disqualify", None, None, "collusion")
            rulings._put_out(tx, Table.objects.get(pk=outs[0].table_id), ruling, outs[0].chips)
            return
        chips = sum(seat.chips for seat in outs)
        Seat.objects.filter(pk=heir.pk).update(chips=heir.chips + chips)
        tx.tournament.knocked_out += 1
        KnockOut.objects.bulk_create(
            KnockOut(
                tournament=tournament,
                entry_id=seat.entry,
                order=tx.tournament.knocked_out,
                round=0,
                table_id=heir.table_id,
                hand=tx.tournament.knocked_out,
                stack=chance.choice([100, 200]),
                button_distance=number,
                winners=[(heir.entry, seat.chips)],
            )
            for number, seat in enumerate(outs, start=1)
        )
        settlement.go_out(tx, _entries(outs))


def _entries(seats: Sequence[Seat]) -> list[Entry]:
    return list(Entry.objects.filter(pk__in=[seat.entry for seat in seats]).order_by("pk"))


def _bare(payload: bytes) -> dict[str, Any]:
    """Return an event without times and without the key of a ticket that it issues."""
    event = msgspec.json.decode(payload)
    is_issue = event["type"] == "ticket_issued"
    return {
        key: value
        for key, value in event.items()
        if not (key.endswith("_ms") or (is_issue and key == "ticket"))
    }


def _from_the_last_up(tournament: Tournament) -> None:
    """Knock-outs that count as placed went out before all others, for the release before too."""
    outs = tournament.knock_outs.exclude(entry__state="pending").order_by("order", "-placed")
    placed = list(outs.values_list("placed", flat=True))
    assert placed == sorted(placed, reverse=True)
