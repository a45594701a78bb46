"""Structures in the admin: the editor of levels, checked, with a preview people can read."""

from __future__ import annotations

import json

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.admin_site import DeclaredLookups
from config.limits import STACK_MAX_CHIPS
from config.numbers import whole
from tournaments.admin.structure_form import StructureForm
from tournaments.engine.chip_set import CHIP_SET, Chips, handed_out
from tournaments.engine.refusals import Refusal
from tournaments.engine.structure import Break, Level
from tournaments.models import Structure, Tournament
from tournaments.models.structure import decoded
from tournaments.refusal_words import refused


@admin.register(Structure)
class StructureAdmin(DeclaredLookups):
    """Structures that tournaments are made from; a tournament keeps its own snapshot (L-01)."""

    list_display = ("name", "starting_stack", "level_count")
    search_fields = ("name",)
    form = StructureForm
    save_as = True

    def get_urls(self) -> list[URLPattern]:
        """The editor asks here what its rows look like and whether they can be played."""
        asked = path(
            "preview/",
            self.admin_site.admin_view(self.preview_view),
            name="tournaments_structure_preview",
        )
        return [asked, *super().get_urls()]

    def preview_view(self, request: HttpRequest) -> HttpResponse:
        """The rows of an editor as players will see them, or why they cannot be played (L-01)."""
        if not self.has_view_or_change_permission(request) and not self.has_add_permission(request):
            raise PermissionDenied
        stack = whole(request.POST.get("starting_stack", "")) or 0
        chips = min(stack, STACK_MAX_CHIPS)
        try:
            items = json.loads(request.POST.get("items", ""))
        except ValueError:
            items = []
        return HttpResponse(preview(items, chips))

    @admin.display(description=gettext_lazy("levels"))
    def level_count(self, structure: Structure) -> int:
        """How many levels it has."""
        return len(structure.rules().levels)


def preview(items: object, starting_stack: int) -> str:
    """Levels and breaks as a table: blinds, ante, length, and the starting stack in big blinds."""
    try:
        structure = decoded(items)
    except Refusal as refusal:
        return format_html('<p class="errornote">{}</p>', refused(refusal))
    number = 0
    rows = []
    for item in structure.items:
        number += isinstance(item, Level)
        rows.append(_row(item, number, starting_stack))
    levels = format_html(
        "<table><thead><tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr></thead>"
        "<tbody>{}</tbody></table>",
        *(_("Level"), _("Blinds"), _("Ante"), _("Lasts"), _("Starting stack")),
        format_html_join("", "{}", ((row,) for row in rows)),
    )
    return format_html("{}{}", levels, hand_out(starting_stack))


def hand_out(starting_stack: int) -> str:
    """With which chips a player starts, by number of players where the source says so (L-03)."""
    rows = handed_out(starting_stack)
    return format_html(
        "<h3>{}</h3><p>{}</p><table><thead><tr><th>{}</th><th>{}</th></tr></thead>"
        "<tbody>{}</tbody></table>",
        _("Chips"),
        _("The set: %(chips)s") % {"chips": _piles(CHIP_SET)},
        _("Players"),
        _("Chips of each player"),
        format_html_join(
            "",
            "<tr><td>{}</td><td>{}</td></tr>",
            ((players or _("every player"), _piles(chips)) for players, chips in rows.items()),
        ),
    )


def _piles(chips: Chips) -> str:
    return ", ".join(f"{count} × {value}" for value, count in sorted(chips.items()))


def _row(item: Level | Break, number: int, starting_stack: int) -> SafeString:
    if isinstance(item, Break):
        return format_html(
            '<tr><td colspan="3">{}</td><td>{}</td><td></td></tr>', _("Break"), _length(item)
        )
    forced = item.big_blind or item.small_bet
    depth = round(starting_stack / forced, 1)
    return format_html(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        number,
        f"{item.small_blind}/{item.big_blind}" if item.big_blind else item.small_bet,
        item.ante or "–",
        _length(item),
        _("%(count)s big blinds") % {"count": depth},
    )


def _length(item: Level | Break) -> str:
    if isinstance(item, Level) and item.lasts_hands:
        return _("%(count)s hands") % {"count": item.lasts_hands}
    minutes, seconds = divmod(item.lasts_ms // 1_000, 60)
    return f"{minutes}:{seconds:02d}"


def preview_of(tournament: Tournament) -> str:
    """The levels a tournament is played with."""
    return preview(tournament.structure, tournament.starting_stack)
