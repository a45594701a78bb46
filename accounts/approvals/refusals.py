"""Refusals of answers to steps that wait for a second person."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class ApprovalRefusal(Refusal):
    """Base of the refusals of answers."""


class NeedsAnotherPerson(ApprovalRefusal):
    """Refusal of an answer by the one who asked."""

    code = "needs_another_person"
    sentence = _("Another person has to answer this, not the one who asked.")


class NotYourStep(ApprovalRefusal):
    """Refusal of an answer without the right to the step itself, or to withdraw another's."""

    code = "not_your_step"
    sentence = _("You have no right to answer this step.")


class AnsweredAlready(ApprovalRefusal):
    """Refusal of a second answer."""

    code = "answered_already"
    sentence = _("This step was answered already.")


class RequestExpired(ApprovalRefusal):
    """Refusal of an approval after `most` hours."""

    code = "request_expired"
    sentence = _("This step waited for more than %(most)s hours; ask for it again.")


class AccountGone(ApprovalRefusal):
    """Refusal to approve a step for an account that was deleted since it was asked for."""

    code = "account_gone"
    sentence = _("An account of this step was deleted meanwhile; the step can only be declined.")


class AskerLostRight(ApprovalRefusal):
    """Refusal to approve what its asker may not do any more."""

    code = "asker_lost_right"
    sentence = _("The one who asked has no right to this step any more.")
