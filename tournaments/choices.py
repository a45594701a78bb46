"""Refusals of a choice that an option or a tournament does not allow."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from tournaments.refusals import BadOffer, TournamentRefusal


def not_among(name: str, allowed: Sequence[str]) -> BadOffer:
    """The refusal of a word that an option does not take, with the words it takes."""
    why = _("This is no valid choice. There are: %(allowed)s.") % {"allowed": ", ".join(allowed)}
    return BadOffer(why, field=name, choices=list(allowed))


class KindNotAllowed(TournamentRefusal):
    """A kind of deal that this tournament does not allow; `kinds` are those it does (Y-02)."""

    code = "kind_not_allowed"

    def __init__(self, kinds: Sequence[str]) -> None:
        super().__init__(
            _("This kind of deal is not allowed in this tournament."), kinds=list(kinds)
        )
