"""What a tournament whose chips have cash value leaves out: its pool is its chips (A-04)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.engine.payouts import WINNER_TAKES_ALL
from tournaments.models import Tournament
from tournaments.models.buying import LateEnds
from tournaments.models.formats import Format
from tournaments.models.prizes import Methods
from tournaments.refusals import BadOffer


def check(tournament: Tournament) -> None:
    """Refuse what would part the pool in cents from the chips in play (A-04); changes nothing."""
    if not tournament.cash_value:
        return
    for field, is_wrong in _wrong(tournament).items():
        if is_wrong:
            raise BadOffer(_words()[field], field=field)


def _wrong(tournament: Tournament) -> dict[str, bool]:
    """Fields -> whether they contradict chips with cash value."""
    late = tournament.late_ends != LateEnds.NEVER_OPEN
    own_table = tournament.payout_table is not None
    return {
        "buy_in": tournament.buy_in != tournament.starting_stack,
        "format": tournament.format not in (Format.FREEZEOUT, Format.HEADS_UP),
        "play_time_ms": tournament.play_time_ms > 0,
        "entries_max": tournament.entries_max > 1,
        "late_ends": late,
        "rebuys_max": tournament.rebuys_max > 0,
        "add_on": tournament.add_on,
        "bounty": bool(tournament.bounty or tournament.pro_bounty),
        "guarantee": tournament.guarantee > 0,
        "added": tournament.added > 0,
        "deals_allowed": tournament.deals_allowed,
        "methods": tournament.methods != Methods.MONEY,
        "payout_preset": own_table or tournament.payout_preset != WINNER_TAKES_ALL,
    }


def _words() -> dict[str, str]:
    no_buying = _("Chips with cash value are bought once, at the start.")
    from_room = _("The pool of chips with cash value is the chips: nothing can be added to it.")
    own_end = _("Chips with cash value are played in a freezeout or heads-up without a time limit.")
    return {
        "buy_in": _("Chips with cash value are bought one to one: buy-in and stack are the same."),
        "format": own_end,
        "play_time_ms": own_end,
        "entries_max": no_buying,
        "late_ends": no_buying,
        "rebuys_max": no_buying,
        "add_on": no_buying,
        "bounty": _("Chips with cash value are all that is paid: there are no bounties."),
        "guarantee": from_room,
        "added": from_room,
        "deals_allowed": _("Who has chips with cash value leaves with them: there are no deals."),
        "methods": _("Chips with cash value are bought with money, not with tickets."),
        "payout_preset": _("With chips of cash value who is left has the rest: winner takes all."),
    }
