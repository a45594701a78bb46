"""Report of a tournament: play and payments, counted from PostgreSQL and by the bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Sum

from accounts.ledger import transfers
from accounts.models import AccountKind, Posting
from config import clock
from tables.models import Hand, Table
from tables.records import hand_months
from tables.records.stored import decode_open
from tournaments.locks import DIRECTOR
from tournaments.models import Entry, Move, Offer, Tournament
from tournaments.models.tournament import State
from tournaments.monitor import audit, report_options
from tournaments.prizes import bounties
from tournaments.schedule import options

_NOTHING_MEASURED = {"p50": None, "p99": None, "max": None}


def build(
    tournament_id: int,
    swarm_report: Mapping[str, Any] | None = None,
    restarts: Mapping[str, int] | int = 0,
) -> dict[str, Any]:
    """Build the report of one tournament as a JSON object; money in cents, times as named."""
    tournament = Tournament.objects.get(pk=tournament_id)
    played = tournament.entries.filter(state__in=Entry.PLAYED)
    seen = swarm_report or {}
    return {
        "tournament": tournament.pk,
        "finished": tournament.state == State.FINISHED and not tournament.is_paying,
        "state": tournament.state,
        "think": seen.get("think"),
        "players": played.values("user").distinct().count(),
        "entries": played.count(),
        "seats_per_table": tournament.seats_per_table,
        "options": options.chosen(tournament),
        **_course(tournament),
        "commands_rejected": seen.get("commands_rejected", 0),
        "refusals": seen.get("refusals", {}),
        "chips_sold": audit.sold_chips(tournament),
        "chips_counted": _counted_chips(tournament),
        "pool": tournament.pool,
        "paid": audit.paid_prizes(tournament),
        "fees": _fees(tournament),
        "bounties": _bounties(tournament),
        "happened": report_options.happened(tournament),
        "ledger_sum": transfers.total(),
        "places": _places(tournament),
        "duration_s": _duration_s(tournament),
        "action_to_stream_ms": seen.get("action_to_stream_ms", _NOTHING_MEASURED),
        "reconnects": seen.get("reconnects", 0),
        "restarts": sum(restarts.values()) if isinstance(restarts, Mapping) else restarts,
        "restarted": dict(restarts) if isinstance(restarts, Mapping) else {},
        "violations": [*audit.audit_tournaments(tournament_id), *seen.get("violations", ())],
    }


def is_right(report: Mapping[str, Any]) -> bool:
    """Return whether a report shows a finished tournament without any contradiction."""
    return bool(
        report["finished"]
        and not report["violations"]
        and report["chips_counted"] == report["chips_sold"]
        and report["paid"] == report["pool"]
        and report["ledger_sum"] == 0
        and len(report["places"]) == report["entries"]
    )


def _course(tournament: Tournament) -> dict[str, Any]:
    """Counts of tables, moves, hands, actions and levels."""
    tables = Table.objects.filter(director=DIRECTOR, game=tournament.pk)
    moves = tournament.moves.exclude(state=Move.State.VOID)
    hands = Hand.objects.filter(hand_months.of_game(DIRECTOR, tournament.pk))
    sums = hands.aggregate(hands=Count("pk"), actions=Sum("actions", default=0))
    levels = hands.order_by("-level").values_list("level", flat=True).first()
    return {
        "tables_opened": tables.count(),
        "tables_closed": tables.filter(status=Table.Status.CLOSED).count(),
        "moves": moves.count(),
        "hands": sums["hands"],
        "actions": sums["actions"],
        "levels_reached": levels or 0,
    }


def _counted_chips(tournament: Tournament) -> int:
    """Chips in front of players; for a finished tournament the chips counted at its end."""
    if tournament.state != State.FINISHED:
        return audit.seated_chips(tournament) + audit.moving_chips(tournament)
    if tournament.chips_at_end is not None:
        return tournament.chips_at_end
    hands = Hand.objects.filter(hand_months.of_game(DIRECTOR, tournament.pk))
    last = hands.order_by("-pk").first()
    return sum(seat.chips for seat in decode_open(bytes(last.record)).seats) if last else 0


def _fees(tournament: Tournament) -> int:
    """Fees of entries and sales that were not refunded, in cents."""
    played = tournament.entries.filter(state__in=(*Entry.LIVE, *Entry.PLAYED))
    keys = [f"registration:{pk}" for pk in played.values_list("pk", flat=True)]
    sold = tournament.offers.filter(state=Offer.State.DONE).values_list("kind", "pk")
    keys += [f"{kind}:{pk}" for kind, pk in sold]
    booked = Posting.objects.filter(transfer__key__in=keys, account__kind=AccountKind.FEE)
    return int(booked.aggregate(sum=Sum("amount", default=0))["sum"])


def _bounties(tournament: Tournament) -> dict[str, int]:
    """Bounties paid in by players and by the room, and bounties won, in cents."""
    sums = tournament.entries.filter(state__in=Entry.PLAYED).aggregate(
        paid=Sum("paid_bounty", default=0), won=Sum("bounties_won", default=0)
    )
    return {**sums, "by_room": bounties.paid_by_room(tournament)}


def _places(tournament: Tournament) -> list[dict[str, Any]]:
    """All places given, best first."""
    rows = tournament.entries.filter(place__isnull=False).order_by("place", "number")
    return [
        {"place": place, "player": name, "prize": prize}
        for place, name, prize in rows.values_list("place", "name", "prize")
    ]


def _duration_s(tournament: Tournament) -> float:
    """Seconds from the start to the end, or until now."""
    if tournament.started_ms is None:
        return 0.0
    ended = tournament.finished_at
    ended_ms = int(ended.timestamp() * 1_000) if ended else clock.database_now_ms()
    return round((ended_ms - tournament.started_ms) / 1_000, 3)
