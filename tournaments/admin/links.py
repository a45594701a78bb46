"""Links from a tournament to the pages of its operator, as far as the operator may follow them."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.admin.rulings import TELL
from tournaments.admin.steps import RUN, STEPS, may
from tournaments.engine import lifecycle
from tournaments.models import Tournament


def of_row(tournament: Tournament, user: Any) -> SafeString:
    """Return the links of a tournament's row in the list: its cockpit, and a copy of it."""
    return _joined([_cockpit(tournament), *_clone(tournament, user)])


def of_page(tournament: Tournament, user: Any) -> SafeString:
    """Return the links of a tournament's page: the steps that are legal now come first."""
    runs, played = user.has_perm(RUN), tournament.state in lifecycle.PLAYED
    links = [
        _link(f"{reverse('admin:tournaments_step', args=[step])}?ids={tournament.pk}", words)
        for step, words in STEPS.items()
        if runs and may(tournament, step, user)
    ]
    links += [_cockpit(tournament), *_clone(tournament, user)]
    if user.has_perm(TELL) and tournament.state not in lifecycle.ENDED:
        tell = reverse("admin:tournaments_message", args=[tournament.pk])
        links.append(_link(tell, _("Message to all")))
    if played:
        entries = reverse("admin:tournaments_entry_changelist")
        links.append(_link(f"{entries}?tournament__id__exact={tournament.pk}", _("Players")))
    if played and runs:
        feature = reverse("admin:tournaments_feature", args=[tournament.pk])
        links.append(_link(feature, _("Featured table")))
    if played:
        links.append(_link(f"{reverse('admin_live')}?tournament={tournament.pk}", _("Live")))
    return _joined(links)


def _cockpit(tournament: Tournament) -> SafeString:
    return _link(reverse("cockpit", args=[tournament.pk]), _("Cockpit"))


def _clone(tournament: Tournament, user: Any) -> list[SafeString]:
    """Return the link to a copy; the club repeats its own, so that they stay within it."""
    if tournament.club_id is not None or not user.has_perm("tournaments.add_tournament"):
        return []
    page = reverse("admin:tournaments_tournament_add")
    return [_link(f"{page}?clone={tournament.pk}", _("Clone"))]


def _link(address: str, words: object) -> SafeString:
    return format_html('<a href="{}">{}</a>', address, words)


def _joined(links: list[SafeString]) -> SafeString:
    return format_html_join(" · ", "{}", ((link,) for link in links))
