"""Refusals of reports and decisions: a code and a sentence each."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class ConductRefusal(Refusal):
    """Base of the refusals of reports and decisions."""


class NobodyThere(ConductRefusal):
    """Refusal of a report of a player who is not at the table, and was not in the hand."""

    code = "not_at_table"
    sentence = _("This player is not at the table.")
    field = "player"


class ReportsOneself(ConductRefusal):
    """Refusal of a report of one's own account."""

    code = "reports_oneself"
    sentence = _("You cannot report yourself.")
    field = "player"


class NoSuchHandYet(ConductRefusal):
    """Refusal of a hand that is not finished, or not of this table."""

    code = "no_such_hand"
    sentence = _("There is no finished hand with this number at this table.")
    field = "hand"


class UnknownReason(ConductRefusal):
    """Refusal of a reason outside the list."""

    code = "unknown_reason"
    sentence = _("Choose one of the reasons.")
    field = "reason"


class CaseDecided(ConductRefusal):
    """Refusal of a second decision of a case."""

    code = "case_decided"
    sentence = _("This case was decided before.")


class NoSuchWarning(ConductRefusal):
    """Refusal to acknowledge a warning of another account."""

    code = "no_such_warning"
    sentence = _("There is no such warning.")


class BannedByOthers(ConductRefusal):
    """Refusal of a ban by staff who may not ban this account."""

    code = "may_not_ban"
    sentence = _("You have no right to ban this account.")
