"""Refusals of clubs to players and managers, each with a code and a sentence."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class ClubRefused(Refusal):
    """A club cannot have this name, text or colour; `field` names the form's field."""

    code = "club_refused"


class TooManyClubs(Refusal):
    """The player owns the most clubs allowed."""

    code = "too_many_clubs"
    sentence = _("One player owns at most %(most)s clubs.")

    def __init__(self, most: int) -> None:
        super().__init__(most=most)


class NotForRole(Refusal):
    """The actor's role in the club does not allow the step."""

    code = "not_for_role"
    sentence = _("Only managers of the club may do this.")


class NotForManagers(NotForRole):
    """The step is for owners alone."""

    code = "not_for_managers"
    sentence = _("Only owners of the club may do this.")


class NotMember(Refusal):
    """The player is not a member of the club."""

    code = "not_member"
    sentence = _("This player is not a member of the club.")


class AlreadyMember(Refusal):
    """The player is a member already."""

    code = "already_member"
    sentence = _("You are a member of this club already.")


class LastOwner(Refusal):
    """The club would be left without an owner."""

    code = "last_owner"
    sentence = _("A club keeps at least one owner: make another member an owner first.")


class ClubFull(Refusal):
    """The club has the most members allowed."""

    code = "club_full"
    sentence = _("This club has its most members, %(most)s.")

    def __init__(self, most: int) -> None:
        super().__init__(most=most)


class NoSuchInvitation(Refusal):
    """The token belongs to no link."""

    code = "no_such_invitation"
    sentence = _("There is no such invitation.")


class InvitationOver(Refusal):
    """The link lets nobody in any more; `why` is the code."""

    code = "invitation_over"

    def __init__(self, why: str) -> None:
        words = {
            "revoked": _("This invitation was revoked."),
            "expired": _("This invitation has expired."),
            "used_up": _("This invitation has been used as often as it may."),
        }
        super().__init__(words[why], why=why)


class RemovedBefore(Refusal):
    """The player was removed from the club after the link was made."""

    code = "removed_before"
    sentence = _("This invitation is older than your removal from the club: ask to join instead.")


class BadLink(Refusal):
    """Uses or days of a new link are out of range; `field` names the form's field."""

    code = "bad_link"


class NoRequests(Refusal):
    """The club takes no requests to join."""

    code = "no_requests"
    sentence = _("This club takes no requests: it is joined by invitation.")


class RequestedAlready(Refusal):
    """The player has an open request at this club."""

    code = "requested_already"
    sentence = _("You have asked this club already.")


class RequestedTooOften(Refusal):
    """The player's last request was refused a short while ago, or too many are open."""

    code = "requested_too_often"
    sentence = _("You cannot ask this club now. Try again tomorrow.")


class RequestOver(Refusal):
    """The request was answered before."""

    code = "request_over"
    sentence = _("This request was answered already.")
