"""Sentences about requests that were carried out, told by pages and by the API."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

WAITING = _("You are on the waiting list: a free seat is offered to you.")
GAVE_UP = _("You are no longer on the waiting list.")
TOPPED_UP = _("You get your chips before the next hand.")
LEAVING = _("You leave after this hand; your stack goes to your account.")

_SWITCHED = {
    "auto": (_("Automatic top-up is off."), _("Automatic top-up is on.")),
    "straddle": (_("You no longer straddle."), _("You straddle.")),
    "post": (_("You wait for the big blind."), _("You post before the next hand.")),
    "sit_out": (_("You are back."), _("You sit out.")),
    "skip": (_("You post your big blinds."), _("You sit out at your next big blind.")),
}


def switched(choice: str, on: bool) -> str:
    """Return the sentence about a choice that was switched."""
    return str(_SWITCHED[choice][on])
