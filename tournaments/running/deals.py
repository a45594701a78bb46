"""Deals at the final table: proposal, vote between two hands, payment (Y-01..Y-03).

1. A proposal is stored during a hand (`ASKED`) and wakes the tables.
2. The vote opens (`OPEN`) when the table stands between hands; the deal stores the stacks it was
   computed from, and the clock stops.
3. The deal closes once: by the last yes, the first no, the end of its clock, or changed stacks.

Every step runs under the tournament's row lock.
"""

from __future__ import annotations

from django.utils import timezone

from accounts.models import User
from config import clock
from tournaments import progress
from tournaments.engine import deals as rules
from tournaments.engine import levels
from tournaments.events.formats import (
    DealAgreed,
    DealOpened,
    DealProposed,
    DealRefused,
    DealShare,
    DealVote,
    DealVoted,
)
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.models import Deal, Entry, Tournament, Vote
from tournaments.prizes import deal_field
from tournaments.refusals import DealOver, VotedAlready
from tournaments.running import settlement

VOTING = "deal"
"""Reason stored with the level clock while a vote stops it."""


def propose(user: User, tournament_id: int, kind: str) -> Deal:
    """Propose to share the unpaid prizes; the vote opens after the current hand (Y-01, Y-03)."""
    with tournament_transaction(tournament_id) as tx:
        tournament = tx.tournament
        entry = deal_field.entry_of(tournament, user)
        deal_field.validate_proposal(tournament, entry, kind)
        deal = Deal.objects.create(tournament=tournament, proposed_by=entry, kind=kind)
        proposal = DealProposed(deal.pk, kind, entry.pk, entry.user_id, entry.name)
        tx.announce(proposal)
        tx.wake_all_tables()
    return deal


def vote(user: User, tournament_id: int, deal_id: int, *, yes: bool) -> Deal:
    """Record a player's vote; the first no ends the deal, the last yes ends the tournament (Y-01).

    A repeated vote counts once. Raises DealOver, also for a deal of another tournament, or
    VotedAlready for the opposite vote.
    """
    if not Deal.objects.filter(pk=deal_id, tournament=tournament_id).exists():
        raise DealOver
    with tournament_transaction(tournament_id) as tx:
        tournament = tx.tournament
        deal = Deal.objects.get(pk=deal_id)
        entry = deal_field.entry_of(tournament, user)
        if deal.state != Deal.State.OPEN or not _holds(tournament, deal):
            raise DealOver
        before = Vote.objects.filter(deal=deal, entry=entry).first()
        if before is not None:
            if before.yes != yes:
                raise VotedAlready
            return deal
        _count(tx, deal, entry, yes)
    return deal


def pending(tournament: Tournament) -> Deal | None:
    """Return the deal that is proposed or being voted on, or None."""
    if not tournament.deals_allowed:
        return None
    rows = tournament.deals.filter(state__in=Deal.PENDING).select_related("proposed_by")
    return rows.first()


def is_open(deal: Deal, now_ms: int) -> bool:
    """Return whether the deal takes votes at `now_ms`."""
    return deal.state == Deal.State.OPEN and now_ms < deal.until_ms


def go_on(tx: TournamentTransaction, deal: Deal) -> bool:
    """Open a deal whose table stands, or close an expired one; return whether the deal changed."""
    if deal.state == Deal.State.ASKED:
        stacks = deal_field.standing_stacks(tx.tournament)
        if stacks is None:
            return False
        if deal.proposed_by_id not in stacks or len(stacks) < 2:
            _refuse(tx, deal, None, "changed")
        else:
            _open(tx, deal, stacks)
        return True
    if _holds(tx.tournament, deal):
        return False
    over = progress.time_ms(tx.tournament) >= deal.until_ms
    _refuse(tx, deal, None, "time" if over else "changed")
    return True


def review_vote(tx: TournamentTransaction) -> None:
    """Close a vote whose clock ran out, even during a hand (Y-01)."""
    deal = pending(tx.tournament)
    if deal is not None and deal.state == Deal.State.OPEN:
        go_on(tx, deal)


def prolong(tx: TournamentTransaction, since_ms: int, now_ms: int) -> None:
    """Give an open vote the time of an outage back that it had, and tell its players (T-13)."""
    deal = pending(tx.tournament)
    if deal is None or deal.state != Deal.State.OPEN or deal.until_ms <= since_ms:
        return
    opened_ms = deal.until_ms - tx.tournament.deal_vote_ms
    deal.until_ms += max(0, now_ms - max(since_ms, opened_ms))
    deal.save(update_fields=["until_ms"])
    _tell_vote(tx, deal)


def end_vote(tx: TournamentTransaction) -> None:
    """Refuse the deal that is being voted on, because one of its players is disqualified (T-15).

    A deal that is only proposed opens with the stacks that are left.
    """
    deal = pending(tx.tournament)
    if deal is not None and deal.state == Deal.State.OPEN:
        _refuse(tx, deal, None, "changed")


def _holds(tournament: Tournament, deal: Deal) -> bool:
    """Return whether the vote's clock still runs and the stacks are those of the deal."""
    if progress.time_ms(tournament) >= deal.until_ms:
        return False
    return deal_field.standing_stacks(tournament) == dict(deal.stacks)


def _open(tx: TournamentTransaction, deal: Deal, stacks: dict[int, int]) -> None:
    tournament = tx.tournament
    now_ms = clock.database_now_ms()
    deal.stacks = [[entry, chips] for entry, chips in deal_field.by_chips(stacks)]
    deal.shares = deal_field.shares(tournament, deal.kind, stacks)
    deal.state = Deal.State.OPEN
    deal.until_ms = now_ms + tournament.deal_vote_ms
    deal.save()
    stands_ms = progress.time_ms(tournament)
    tournament.set_clock(levels.stop(tournament.clock(), stands_ms, VOTING))
    _tell_vote(tx, deal)
    _count(tx, deal, deal.proposed_by, True)


def _tell_vote(tx: TournamentTransaction, deal: Deal) -> None:
    """Announce the vote and its end, and ask those who have not voted for theirs."""
    tournament, share = tx.tournament, dict(deal.shares)
    entries = tournament.entries.in_bulk(list(share))
    shown = tuple(
        DealShare(entry, entries[entry].user_id, entries[entry].name, chips, share[entry])
        for entry, chips in deal.stacks
    )
    tx.announce(DealOpened(deal.pk, deal.kind, shown, deal.until_ms))
    voted = {deal.proposed_by_id, *deal.votes.values_list("entry", flat=True)}
    for voter in shown:
        if voter.entry not in voted:
            asked = DealVote(
                tournament.pk, tournament.name, deal.pk, deal.kind, voter.share, deal.until_ms
            )
            tx.notify(voter.user, asked)


def _count(tx: TournamentTransaction, deal: Deal, entry: Entry, yes: bool) -> None:
    Vote.objects.create(deal=deal, entry=entry, yes=yes)
    votes = dict(deal.votes.values_list("entry", "yes"))
    live = {entry for entry, _ in deal.stacks}
    voted = DealVoted(deal.pk, entry.pk, entry.user_id, entry.name, yes, len(votes), len(live))
    tx.announce(voted)
    match rules.outcome(live, votes, time_over=False):
        case "agreed":
            _agree(tx, deal)
        case "refused":
            _refuse(tx, deal, entry, "no")


def _agree(tx: TournamentTransaction, deal: Deal) -> None:
    """End the tournament after the last yes, and pay each entry its share of the deal."""
    _close(tx.tournament, deal, Deal.State.AGREED)
    tx.announce(DealAgreed(deal.pk, deal.kind))
    settlement.review_prizes(tx)
    paid = dict(tx.tournament.entries.filter(state=Entry.State.WON).values_list("pk", "prize"))
    assert paid == dict(deal.shares), "each entry is paid the share of the agreed deal"


def _refuse(tx: TournamentTransaction, deal: Deal, entry: Entry | None, reason: str) -> None:
    """Close a deal without agreement and let the table play on."""
    _close(tx.tournament, deal, Deal.State.REFUSED)
    name = "" if entry is None else entry.name
    tx.announce(DealRefused(deal.pk, reason, name))
    tx.wake_all_tables()


def _close(tournament: Tournament, deal: Deal, state: Deal.State) -> None:
    now_ms = clock.database_now_ms()
    rows = Deal.objects.filter(pk=deal.pk, state__in=Deal.PENDING)
    closed = rows.update(state=state, closed_at=timezone.now())
    assert closed == 1, "a pending deal is closed exactly once"
    deal.state = state
    if VOTING in tournament.stops:
        tournament.set_clock(levels.go_on(tournament.clock(), now_ms, VOTING))
        tournament.go_on_at(now_ms)
