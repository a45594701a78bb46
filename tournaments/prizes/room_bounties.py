"""Bounties the room puts on chosen players of one tournament, and takes off again (N-02)."""

from __future__ import annotations

from django.db.models import Sum

from accounts.models import User
from config import limits
from config.refusals import marked as _
from tournaments.engine import lifecycle
from tournaments.engine.contradictions import MESSAGES
from tournaments.events.prizes import HeadChanged
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.models import AuditRow, Entry, RoomBounty, Tournament
from tournaments.prizes import bounties
from tournaments.refusals import BadBounty, NobodyListens


def put(
    tournament_id: int, user: User, amount: int, *, actor: User | None = None, reason: str = ""
) -> RoomBounty:
    """Put a bounty of `amount` cents on a player, paid by the room in full and once (N-02)."""
    with tournament_transaction(tournament_id) as tx:
        tournament = tx.tournament
        validate_bounty(tournament, user, amount)
        row = RoomBounty.objects.create(tournament=tournament, user=user, amount=amount)
        _tell(tx, user, "room_bounty", amount, actor, reason)
    return row


def put_offered(tournament: Tournament) -> None:
    """Put a new tournament's offered bounties on their players (N-02).

    A player of a series with a deleted account gets none.
    """
    players = {user.name: user for user in User.objects.filter(name__in=tournament.bounty_players)}
    RoomBounty.objects.bulk_create(
        RoomBounty(tournament=tournament, user=players[name], amount=amount)
        for name, amount in tournament.bounty_players.items()
        if name in players
    )


def take_off(
    tournament_id: int, user: User, *, actor: User | None = None, reason: str = ""
) -> None:
    """Take a bounty of the room off a player, unless it was won."""
    with tournament_transaction(tournament_id) as tx:
        tournament = tx.tournament
        rows = RoomBounty.objects.filter(tournament=tournament, user=user, paid=False)
        if not rows.exists():
            raise BadBounty(_("There is no bounty on this player that could be taken off."))
        rows.delete()
        _tell(tx, user, "room_bounty_off", 0, actor, reason)


def validate_bounty(tournament: Tournament, user: User, amount: int) -> None:
    """Refuse a bounty of the room that cannot be put on this player."""
    if tournament.state in lifecycle.ENDED:
        raise BadBounty(NobodyListens.sentence)
    if tournament.cash_value:
        raise BadBounty(MESSAGES["cash_no_bounty"])
    if amount <= 0:
        raise BadBounty(_("A bounty is an amount above nothing."))
    known = RoomBounty.objects.filter(tournament=tournament)
    put = known.aggregate(sum=Sum("amount", default=0))["sum"]
    # Who wins all bounties may be paid them at once (N-06).
    if bounties.most(tournament) + put + amount > limits.TRANSFER_MAX_CENTS:
        raise BadBounty(_("The bounties together would become too large to be paid."))
    if known.filter(user=user).exists():
        raise BadBounty(_("There is a bounty of the room on this player already."))
    playing = tournament.entries.filter(user=user, state__in=Entry.IN_PLAY)
    if tournament.state in lifecycle.PLAYED and not playing.exists():
        raise BadBounty(_("This player is not in the tournament."))


def _tell(
    tx: TournamentTransaction, user: User, action: str, amount: int, actor: User | None, reason: str
) -> None:
    tournament = tx.tournament
    AuditRow.objects.create(
        tournament=tournament,
        actor=actor,
        action=action,
        reason=reason,
        details={"user": user.pk, "amount": amount},
    )
    for entry in tournament.entries.filter(user=user, state__in=Entry.LIVE):
        tx.announce(HeadChanged(entry.pk, bounties.worth(tournament, entry)))
