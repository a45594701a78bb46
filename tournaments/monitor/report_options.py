"""Outcome of a tournament's options for its report: entries, chips, tickets, deals, its end."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Sum

from tournaments.models import Deal, Entry, KnockOut, Offer, Ruling, Ticket, Tournament
from tournaments.prizes import pool


def happened(tournament: Tournament) -> dict[str, Any]:
    """Counts of the options that players and the room used; money in cents."""
    played = tournament.entries.filter(state__in=Entry.PLAYED)
    sums = played.aggregate(
        rebuys=Sum("rebuys", default=0),
        add_ons=Sum("add_ons", default=0),
        tickets_used=Count("ticket"),
    )
    return {
        "private": bool(tournament.password),
        "late_entries": _late(tournament),
        "reentries": tournament.reentries,
        **sums,
        "rebuys_asked": _asked(tournament),
        "several_at_once": _several(tournament),
        "merged": played.filter(state=Entry.State.MERGED).count(),
        "tickets_won": Ticket.objects.filter(won_in=tournament).count(),
        "overlay": pool.overlay_of(tournament),
        "places_paid": played.filter(prize__gt=0).count(),
        "heads_raised": _heads_raised(tournament),
        "rounds": tournament.stage,
        "multiplier": (tournament.spin or {}).get("multiplier", 0),
        "deals_proposed": tournament.deals.count(),
        "deal": _agreed(tournament),
        "left_with_stack": _left_with_stack(tournament),
        "left": tournament.left,
        "ended_by": _ended_by(tournament),
    }


def _late(tournament: Tournament) -> int:
    """Entries bought after the start, without re-entries (E-01)."""
    if tournament.started_ms is None:
        return 0
    rows = tournament.entries.filter(state__in=Entry.PLAYED)
    bought = rows.values_list("registered_at", flat=True)
    after = sum(at.timestamp() * 1_000 > tournament.started_ms for at in bought)
    return max(0, after - tournament.reentries)


def _asked(tournament: Tournament) -> int:
    """Re-buys requested by seats with chips; only offered re-buys have a clock (E-04)."""
    sold = tournament.offers.filter(kind=Offer.Kind.REBUY, state=Offer.State.DONE)
    clocks = [
        until_ms - made_at.timestamp() * 1_000
        for made_at, until_ms in sold.values_list("made_at", "until_ms")
    ]
    return sum(clock_ms < tournament.offer_ms / 2 for clock_ms in clocks)


def _several(tournament: Tournament) -> int:
    """Players with several simultaneous entries (E-03)."""
    rows = tournament.entries.filter(state__in=Entry.PLAYED, slot__gt=1)
    return rows.values("user").distinct().count()


def _heads_raised(tournament: Tournament) -> int:
    """Knock-outs that raised the bounty on a winner's head (N-04)."""
    rows = KnockOut.objects.filter(tournament=tournament).values_list("bounties", flat=True)
    return sum(any(added for _, _, added in shares) for shares in rows)


def _left_with_stack(tournament: Tournament) -> int:
    """Players who left with chips of cash value (A-04)."""
    carried_out = tournament.room_rulings.filter(state=Ruling.State.DONE)
    return carried_out.filter(kind=Ruling.Kind.LEAVE).count()


def _agreed(tournament: Tournament) -> str:
    """Kind of the agreed deal, or "" (Y-01)."""
    deal = tournament.deals.filter(state=Deal.State.AGREED).first()
    return "" if deal is None else str(deal.kind)


def _ended_by(tournament: Tournament) -> str:
    """Cause of the end: deal, time or play; "" before the end."""
    if tournament.finished_at is None:
        return ""
    if _agreed(tournament):
        return "deal"
    return "time" if tournament.time_over else "play"
