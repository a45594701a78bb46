"""Guests of a club's tournament: players invited by name, members or not."""

from __future__ import annotations

from accounts.models import User
from accounts.names import fold
from config import limits
from config.refusals import marked as _
from tables.gateway.rights import rights_changed
from tournaments.engine import lifecycle
from tournaments.events.notices import Invited
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import AuditRow, Guest
from tournaments.refusals import BadGuest, NobodyListens


def invite(tournament: int, name: str, *, actor: User) -> Guest:
    """Invite a player by name, once, and tell this player.

    Raises BadGuest, or NobodyListens after the end.
    """
    with tournament_transaction(tournament) as tx:
        row = tx.tournament
        if row.club is None:
            raise BadGuest(_("Only a club's tournament has guests."))
        if row.state in lifecycle.ENDED:
            raise NobodyListens
        user = User.objects.filter(name_key=fold(name), is_active=True).first()
        if user is None:
            raise BadGuest(_("There is no player of this name."))
        is_known = row.guests.filter(user=user).exists()
        if not is_known and row.guests.count() >= limits.GUESTS_MAX:
            raise BadGuest(_("At most %(most)s players are invited."), most=limits.GUESTS_MAX)
        guest, is_new = Guest.objects.get_or_create(tournament=row, user=user)
        if is_new:
            AuditRow.objects.create(
                tournament=row, actor=actor, action="guest", details={"user": user.pk}
            )
            tx.notify(user.pk, Invited(row.pk, row.name, row.club.name))
    return guest


def uninvite(tournament: int, user: int, *, actor: User) -> None:
    """Take an invitation back; an entry that was bought stays. A repeated step changes nothing."""
    with tournament_transaction(tournament) as tx:
        gone, _kinds = Guest.objects.filter(tournament=tx.tournament, user=user).delete()
        if gone:
            AuditRow.objects.create(
                tournament=tx.tournament, actor=actor, action="guest_off", details={"user": user}
            )
            rights_changed(user)
