"""Evidence of a case: newest hands with their flow, times, shared log-ins and games, reports."""

from __future__ import annotations

from random import Random

import msgspec

from tables.conduct.models import ConductCase, LoginNetwork, PlayerReport, SharedBrowser
from tables.conduct.rules.figures import hand_figures
from tables.history.released import released_hands
from tables.models import Hand
from tables.records import stored
from tables.records.month_keys import NoMonthKey
from tables.statistics.models import PlayerCounts

HANDS_SHOWN = 30
REPORTS_SHOWN_MAX = 50


class EvidenceHand(msgspec.Struct, frozen=True):
    """A hand of a case; `flow` in big blinds given by its player, to the other one or to all.

    None where this process may not read all cards, by which chips of an all-in are shared, and of a
    damaged record.
    """

    row: Hand
    flow: float | None
    is_quiet_duel: bool


class SharedLogins(msgspec.Struct, frozen=True):
    """Log-ins that two players share: by one browser, and the number of common networks."""

    browser: int
    networks: int


class CommonGames(msgspec.Struct, frozen=True):
    """Tournaments and ring games in which two players were dealt hands, and those of each."""

    both: int
    user: int
    other: int


def newest_hands(case: ConductCase) -> list[EvidenceHand]:
    """Return the newest released hands of a case's players together, oldest first."""
    users = [user for user in (case.user_id, case.other_id) if user is not None]
    rows = released_hands().filter(users__contains=users).order_by("-pk")
    newest = list(rows[:HANDS_SHOWN])
    return [_evidence(case, row) for row in reversed(newest)]


def shared_logins(case: ConductCase) -> SharedLogins | None:
    """Return what two players of a case share; None for a case of one."""
    if case.other_id is None:
        return None
    first, second = sorted((case.user_id, case.other_id))
    browser = SharedBrowser.objects.filter(first=first, second=second).first()
    networks = LoginNetwork.objects.filter(user=first).values("network")
    common = LoginNetwork.objects.filter(user=second, network__in=networks).count()
    return SharedLogins(0 if browser is None else browser.logins, common)


def common_games(case: ConductCase) -> CommonGames | None:
    """Return the games of two players of a case; None for a case of one."""
    if case.other_id is None:
        return None
    user, other = (
        set(PlayerCounts.objects.filter(user=key).values_list("director", "game"))
        for key in (case.user_id, case.other_id)
    )
    return CommonGames(len(user & other), len(user), len(other))


def reports_of(case: ConductCase) -> list[PlayerReport]:
    """Return the newest reports of a case's players."""
    rows = PlayerReport.objects.filter(accused__in=(case.user_id, case.other_id or case.user_id))
    return list(rows.select_related("by", "accused", "table").order_by("-pk")[:REPORTS_SHOWN_MAX])


def _evidence(case: ConductCase, row: Hand) -> EvidenceHand:
    try:
        kept = stored.decode(bytes(row.record))
    except (NoMonthKey, msgspec.DecodeError, UnicodeDecodeError):
        return EvidenceHand(row, None, is_quiet_duel=False)
    figures = hand_figures(kept, Random(kept.digest()))  # nosec B311
    if case.other_id is None:
        own = figures.players[case.user_id]
        return EvidenceHand(row, own.flow / 100, is_quiet_duel=False)
    first, second = sorted((case.user_id, case.other_id))
    pair = figures.pairs.get((first, second))
    if pair is None:
        return EvidenceHand(row, 0.0, is_quiet_duel=False)
    sign = 1 if first == case.user_id else -1
    return EvidenceHand(row, sign * pair.flow / 100, is_quiet_duel=bool(pair.both_quiet))
