"""Refusal of a satellite's target that its winners could not enter (K-08)."""

from __future__ import annotations

from accounts.bots.places import BotsAdmitted
from config.refusals import marked as _
from tournaments.models import Tournament
from tournaments.models.options.prizes import Methods
from tournaments.models.tournament import State
from tournaments.refusals import BadSpec
from tournaments.schedule import contradictions

OPEN = (State.ANNOUNCED, State.REGISTERING)
"""States of a tournament that takes entries, or will."""


def check_target(tournament: Tournament) -> None:
    """Refuse a satellite whose target takes no entries any more or has no price (K-08)."""
    if not tournament.format_rules.pays_tickets:
        if tournament.target_id is not None:
            raise BadSpec(_("Only a satellite leads to another tournament."), field="target")
        if tournament.ticket_value:
            raise BadSpec(_("Only a satellite pays with tickets."), field="ticket_value")
        return
    target = tournament.target
    if target is None:
        _check_own_tickets(tournament)
        return
    if tournament.ticket_value:
        raise BadSpec(
            _("The tickets of a satellite to a tournament are worth its price."),
            field="ticket_value",
        )
    _check_players(tournament, target)
    if target.pk == tournament.pk or _leads_back(target, tournament):
        raise BadSpec(_("A satellite cannot lead to itself."), field="target")
    if target.state not in OPEN:
        raise BadSpec(_("The tournament it leads to has started or was cancelled."), field="target")
    if not target.price:
        raise BadSpec(_("A satellite leads to a tournament that costs something."), field="target")
    if target.methods == Methods.MONEY:
        raise BadSpec(_("The tournament it leads to takes no tickets."), field="target")
    if tournament.starts_at and target.starts_at and tournament.starts_at >= target.starts_at:
        raise BadSpec(_("A satellite starts before the tournament it leads to."), field="starts_at")


def _check_players(tournament: Tournament, target: Tournament) -> None:
    """Refuse a satellite whose winners another club or another kind of players would be."""
    if target.club_id != tournament.club_id:
        raise BadSpec(
            _("A satellite and the tournament it leads to belong to one club, or to the room."),
            field="target",
        )
    bots, people = tournament.bots != BotsAdmitted.NONE, tournament.bots != BotsAdmitted.ONLY
    refused = {BotsAdmitted.NONE.value: bots, BotsAdmitted.ONLY.value: people}
    if refused.get(target.bots):
        raise BadSpec(
            _("Everybody who may play the satellite may play the tournament it leads to."),
            field="target",
        )


def _check_own_tickets(tournament: Tournament) -> None:
    """Check value and activity of tickets that are for no single tournament (K-01, K-07)."""
    if not tournament.ticket_value:
        raise BadSpec(
            _("A satellite needs the tournament it leads to, or the value of its tickets."),
            field="target",
        )
    contradictions.check_price(tournament.ticket_value, "ticket_value")
    if not tournament.ticket_scope.strip():
        raise BadSpec(_("Name the activity that the tickets pay for."), field="ticket_scope")


def _leads_back(target: Tournament, tournament: Tournament) -> bool:
    """Return whether the targets of `target` lead to `tournament`, or in a circle of their own."""
    passed = {target.pk}
    following = target.target
    while following is not None and tournament.pk is not None:
        if following.pk == tournament.pk or following.pk in passed:
            return True
        passed.add(following.pk)
        following = following.target
    return False
