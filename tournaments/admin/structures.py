"""Structures in the admin: levels as JSON, checked, with a preview people can read."""

from __future__ import annotations

from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.engine.refusals import Refusal
from tournaments.engine.structure import Break, Level
from tournaments.models import Structure, Tournament
from tournaments.models.structure import decoded


@admin.register(Structure)
class StructureAdmin(admin.ModelAdmin):
    """Structures that tournaments are made from; a tournament keeps its own snapshot (L-01)."""

    list_display = ("name", "starting_stack", "level_count")
    search_fields = ("name",)
    fields = ("name", "starting_stack", "items", "preview")
    readonly_fields = ("preview",)
    save_as = True

    @admin.display(description=gettext_lazy("levels"))
    def level_count(self, structure: Structure) -> int:
        """How many levels it has."""
        return len(structure.rules().levels)

    @admin.display(description=gettext_lazy("preview"))
    def preview(self, structure: Structure) -> str:
        """The levels as a table; nothing until the structure is saved."""
        return preview(structure.items, structure.starting_stack) if structure.pk else "–"


def preview(items: object, starting_stack: int) -> str:
    """Levels and breaks as a table: blinds, ante, length, and the starting stack in big blinds."""
    try:
        structure = decoded(items)
    except Refusal as refusal:
        return refusal.message
    number = 0
    rows = []
    for item in structure.items:
        number += isinstance(item, Level)
        rows.append(_row(item, number, starting_stack))
    return format_html(
        "<table><thead><tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr></thead>"
        "<tbody>{}</tbody></table>",
        *(_("Level"), _("Blinds"), _("Ante"), _("Lasts"), _("Starting stack")),
        format_html_join("", "{}", ((row,) for row in rows)),
    )


def _row(item: Level | Break, number: int, starting_stack: int) -> SafeString:
    if isinstance(item, Break):
        return format_html(
            '<tr><td colspan="3">{}</td><td>{}</td><td></td></tr>', _("Break"), _length(item)
        )
    forced = item.big_blind or item.small_bet
    return format_html(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        number,
        f"{item.small_blind}/{item.big_blind}" if item.big_blind else item.small_bet,
        item.ante or "–",
        _length(item),
        _("%(count)s big blinds") % {"count": round(starting_stack / forced, 1)},
    )


def _length(item: Level | Break) -> str:
    if isinstance(item, Level) and item.lasts_hands:
        return _("%(count)s hands") % {"count": item.lasts_hands}
    minutes, seconds = divmod(item.lasts_ms // 1_000, 60)
    return f"{minutes}:{seconds:02d}"


def preview_of(tournament: Tournament) -> str:
    """The levels a tournament is played with."""
    return preview(tournament.structure, tournament.starting_stack)
