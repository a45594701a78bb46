"""Deals at the final table: proposed, held between two hands, voted on, paid at once (Y-01..Y-03).

A deal is asked for during a hand, opens when its table stands, and names the stacks it was made
from. It is closed once: by the last yes, the first no, or the end of its clock.
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from config import clock
from tournaments import locks
from tournaments.engine import deals as rules
from tournaments.engine import levels
from tournaments.events import bells
from tournaments.events.formats import (
    DealAgreed,
    DealOpened,
    DealProposed,
    DealRefused,
    DealShare,
    DealVote,
    DealVoted,
)
from tournaments.events.outbox import Outbox
from tournaments.events.outbox import tournament as stream_of
from tournaments.events.outbox import user as notices_of
from tournaments.models import Deal, Entry, Tournament, Vote
from tournaments.prizes import deal_field
from tournaments.refusals import DealOver, VotedAlready
from tournaments.running import settlement

VOTING = "deal"
"""The reason a vote gives for a clock that stands."""


def propose(user: User, tournament_id: int, kind: str) -> Deal:
    """Ask everybody at the final table to share what is unpaid, after this hand (Y-01, Y-03)."""
    with transaction.atomic():
        tournament = locks.tournament(tournament_id)
        entry = deal_field.entry_of(tournament, user)
        deal_field.check(tournament, entry, kind)
        deal = Deal.objects.create(tournament=tournament, proposed_by=entry, kind=kind)
        outbox = Outbox()
        told = DealProposed(deal.pk, kind, entry.pk, entry.user_id, entry.name)
        outbox.tell(stream_of(tournament.pk), told)
        outbox.write()
        bells.wake_tables_after_commit(tournament.pk)
    return deal


def vote(user: User, deal_id: int, *, yes: bool) -> Deal:
    """A player's answer; the first no ends the deal, the last yes the tournament (Y-01).

    The same answer twice counts once.
    """
    known = Deal.objects.filter(pk=deal_id).first()
    if known is None:
        raise DealOver
    with transaction.atomic():
        tournament = locks.tournament(known.tournament_id)
        deal = Deal.objects.get(pk=deal_id)
        entry = deal_field.entry_of(tournament, user)
        if deal.state != Deal.State.OPEN or not _holds(tournament, deal):
            raise DealOver
        before = Vote.objects.filter(deal=deal, entry=entry).first()
        if before is not None:
            if before.yes != yes:
                raise VotedAlready
            return deal
        outbox = Outbox()
        _count(tournament, deal, entry, yes, outbox)
        tournament.save()
        outbox.write()
    return deal


def pending(tournament: Tournament) -> Deal | None:
    """The deal that is asked for or voted on, if there is one."""
    if not tournament.deals_allowed:
        return None
    rows = tournament.deals.filter(state__in=Deal.PENDING).select_related("proposed_by")
    return rows.first()


def is_open(deal: Deal, now_ms: int) -> bool:
    """Whether votes are taken now."""
    return deal.state == Deal.State.OPEN and now_ms < deal.until_ms


def go_on(tournament: Tournament, deal: Deal, outbox: Outbox) -> bool:
    """Open a deal whose table stands, or close one whose time is over; whether that was due.

    The tournament is locked; the caller saves it and writes the outbox.
    """
    if deal.state == Deal.State.ASKED:
        stacks = deal_field.standing_stacks(tournament)
        if stacks is None:
            return False
        if deal.proposed_by_id not in stacks or len(stacks) < 2:
            _refuse(tournament, deal, None, "changed", outbox)
        else:
            _open(tournament, deal, stacks, outbox)
        return True
    if _holds(tournament, deal):
        return False
    over = clock.database_now_ms() >= deal.until_ms
    _refuse(tournament, deal, None, "time" if over else "changed", outbox)
    return True


def review(tournament: Tournament) -> None:
    """Close a vote whose time is over, however its table stands; the caller saves (Y-01)."""
    deal = pending(tournament)
    if deal is None or deal.state != Deal.State.OPEN:
        return
    outbox = Outbox()
    go_on(tournament, deal, outbox)
    outbox.write()


def _holds(tournament: Tournament, deal: Deal) -> bool:
    """Whether its time lasts and the stacks are still those it was made from."""
    if clock.database_now_ms() >= deal.until_ms:
        return False
    return deal_field.standing_stacks(tournament) == dict(deal.stacks)


def _open(tournament: Tournament, deal: Deal, stacks: dict[int, int], outbox: Outbox) -> None:
    now_ms = clock.database_now_ms()
    deal.stacks = [[entry, chips] for entry, chips in deal_field.by_chips(stacks)]
    deal.shares = deal_field.shares(tournament, deal.kind, stacks)
    deal.state = Deal.State.OPEN
    deal.until_ms = now_ms + tournament.deal_vote_ms
    deal.save()
    tournament.set_clock(levels.stop(tournament.clock(), now_ms, VOTING))
    entries = tournament.entries.in_bulk(list(stacks))
    share = dict(deal.shares)
    shown = tuple(
        DealShare(entry, entries[entry].user_id, entries[entry].name, chips, share[entry])
        for entry, chips in deal.stacks
    )
    outbox.tell(stream_of(tournament.pk), DealOpened(deal.pk, deal.kind, shown, deal.until_ms))
    for one in shown:
        if one.entry != deal.proposed_by_id:
            asked = DealVote(
                tournament.pk, tournament.name, deal.pk, deal.kind, one.share, deal.until_ms
            )
            outbox.tell(notices_of(one.user), asked)
    _count(tournament, deal, entries[deal.proposed_by_id], True, outbox)


def _count(tournament: Tournament, deal: Deal, entry: Entry, yes: bool, outbox: Outbox) -> None:
    Vote.objects.create(deal=deal, entry=entry, yes=yes)
    votes = dict(deal.votes.values_list("entry", "yes"))
    live = {entry for entry, _ in deal.stacks}
    told = DealVoted(deal.pk, entry.pk, entry.user_id, entry.name, yes, len(votes), len(live))
    outbox.tell(stream_of(tournament.pk), told)
    match rules.outcome(live, votes, time_over=False):
        case "agreed":
            _agree(tournament, deal, outbox)
        case "refused":
            _refuse(tournament, deal, entry, "no", outbox)


def _agree(tournament: Tournament, deal: Deal, outbox: Outbox) -> None:
    """Everybody said yes: the tournament ends here, and each has what the deal says."""
    _close(tournament, deal, Deal.State.AGREED)
    outbox.tell(stream_of(tournament.pk), DealAgreed(deal.pk, deal.kind))
    settlement.review(tournament, outbox)
    paid = dict(tournament.entries.filter(state=Entry.State.WON).values_list("pk", "prize"))
    assert paid == dict(deal.shares), "everybody has the share that was voted on"


def _refuse(
    tournament: Tournament, deal: Deal, entry: Entry | None, reason: str, outbox: Outbox
) -> None:
    """The deal is off: the table plays on."""
    _close(tournament, deal, Deal.State.REFUSED)
    name = "" if entry is None else entry.name
    outbox.tell(stream_of(tournament.pk), DealRefused(deal.pk, reason, name))
    bells.wake_tables_after_commit(tournament.pk)


def _close(tournament: Tournament, deal: Deal, state: Deal.State) -> None:
    now_ms = clock.database_now_ms()
    rows = Deal.objects.filter(pk=deal.pk, state__in=Deal.PENDING)
    closed = rows.update(state=state, closed_at=timezone.now())
    assert closed == 1, "a deal is closed once"
    deal.state = state
    tournament.set_clock(levels.go_on(tournament.clock(), now_ms, VOTING))
    tournament.go_on_at(now_ms)
