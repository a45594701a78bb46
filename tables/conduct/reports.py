"""Reports of players by players: checked, limited with the chat's reports, and put into a case."""

from __future__ import annotations

import math

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from tables.chat.refusals import EmptyText, TooFast
from tables.chat.rules import ChatTerms, clean_text
from tables.chat.sending import REPORTS
from tables.conduct.models import ConductCase, PlayerReport
from tables.conduct.refusals import NobodyThere, NoSuchHandYet, ReportsOneself, UnknownReason
from tables.conduct.scoring import SignFinding, keep_case
from tables.history.kept import kept_of
from tables.history.released import hands_of_table
from tables.models import Seat, Table

SCORE_OF_REPORTER = 0.5
"""Score of a case for each player who reports: two make the threshold."""


def report_player(
    table: Table, by: int, accused: int, *, reason: str, words: str = "", hand: int | None = None
) -> PlayerReport:
    """Store a report and open or raise the case of the accused player.

    A repeated report of one table, hand and reason changes nothing; one without a hand is new when
    a case of reports about the player was decided since the last. The caller has checked that the
    reporter may see the table. Raises ConductRefusal or ChatRefusal, in which case nothing has
    changed.
    """
    if accused == by:
        raise ReportsOneself
    if reason not in PlayerReport.Reason.values:
        raise UnknownReason
    text = _clean(words)
    _require_there(table, accused, hand)
    given = {"table": table, "by_id": by, "accused_id": accused, "hand": hand, "reason": reason}
    reports = _undecided(accused) if hand is None else PlayerReport.objects
    known = reports.filter(**given).first()
    if known is not None:
        return known
    if wait_s := REPORTS.take(str(by)):
        raise TooFast(wait_s=math.ceil(wait_s))
    with transaction.atomic():
        # Locked, so that reports at once open one case, and each of them counts.
        User.objects.select_for_update(no_key=True).get(pk=accused)
        if (twin := reports.filter(**given).first()) is not None:
            return twin  # sent twice at once
        report = PlayerReport.objects.create(words=text, **given)
        _raise_case(accused)
    return report


def players_at(table: Table, hand: int | None) -> dict[int, str]:
    """Return the names of the players of a table, or of its finished hand, by user.

    Raises NoSuchHandYet; a hand that is still shown is not told of.
    """
    if hand is None:
        return dict(Seat.objects.filter(table=table).order_by("seat").values_list("user", "name"))
    row = hands_of_table(table).filter(number=hand).first()
    if row is None:
        raise NoSuchHandYet
    return {seat.user: seat.name for seat in kept_of(row).seats if seat.dealt}


def _require_there(table: Table, accused: int, hand: int | None) -> None:
    if accused not in players_at(table, hand):
        raise NobodyThere


def _clean(words: str) -> str:
    """Return words by the rules of a chat's text, but for its word list and its links."""
    if not words.strip():
        return ""
    try:
        return clean_text(words, ChatTerms(links=True))
    except EmptyText:
        return ""


def _raise_case(accused: int) -> None:
    """Open or renew the case of reports; every reporter counts once."""
    count = _undecided(accused).values("by").distinct().count()
    score = SCORE_OF_REPORTER * count
    sign = ConductCase.Sign.REPORTED
    keep_case(SignFinding(sign, accused, None, score, {"reporters": count}), is_fresh=True)


def _undecided(accused: int) -> QuerySet[PlayerReport]:
    """Return the reports of a player made since the last case of reports was decided."""
    cases = ConductCase.objects.filter(sign=ConductCase.Sign.REPORTED, user=accused)
    reports = PlayerReport.objects.filter(accused=accused)
    decided = cases.filter(decided_at__isnull=False).order_by("-decided_at").first()
    return reports.filter(made_at__gt=decided.decided_at) if decided else reports
