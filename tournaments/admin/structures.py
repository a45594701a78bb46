"""Admin of structures: the editor of levels, with checks and a preview."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, path
from django.utils import formats
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.templatetags.amounts import chips as grouped
from config.admin_site import DeclaredLookups
from config.inputs.numbers import whole
from config.limits import ENTRIES_MAX, STACK_MAX_CHIPS
from config.refusals import Refusal
from tournaments.admin import structure_form
from tournaments.admin.structure_form import LevelsDecoder, StructureForm
from tournaments.admin.structure_plans import PlanForm
from tournaments.engine.blind_plan import MINUTE_MS, ends_after_ms
from tournaments.engine.chip_set import CHIP_SET, HAND_OUT, Chips, handed_out
from tournaments.engine.structure import (
    DEPTH_SHALLOW,
    BlindStructure,
    Break,
    Level,
    check_antes,
    check_depth,
    depth,
)
from tournaments.models import Structure, Tournament
from tournaments.models.structure import decoded, encoded, located


@admin.register(Structure)
class StructureAdmin(DeclaredLookups[Structure]):
    """Structures for tournaments; a tournament keeps its own snapshot (L-01)."""

    list_display = ("name", "starting_stack", "level_count")
    search_fields = ("name",)
    form = StructureForm
    save_as = True

    def get_urls(self) -> list[URLPattern]:
        """Return the pages, with those the editor calls for plans and previews."""
        asked = path(
            "preview/",
            self.admin_site.admin_view(self.preview_view),
            name="tournaments_structure_preview",
        )
        planned = path(
            "plan/",
            self.admin_site.admin_view(self.plan_view),
            name="tournaments_structure_plan",
        )
        return [asked, planned, *super().get_urls()]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Fill a new structure with playable levels instead of an empty table."""
        given: dict[str, Any] = super().get_changeform_initial_data(request)
        return structure_form.new_structure() | given

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Give the editor the whole width: levels and preview side by side (L-01)."""
        wide = (extra_context or {}) | {"is_nav_sidebar_enabled": False}
        answer: HttpResponse = super().changeform_view(request, object_id, form_url, wide)
        return answer

    def plan_view(self, request: HttpRequest) -> HttpResponse:
        """Return planned levels for players, stack and hours as JSON; or errors by field."""
        self._need_to_look(request)
        form = PlanForm(request.POST)
        if not form.is_valid():
            errors = [
                f"{form.fields[name].label}: {' '.join(map(str, messages))}"
                for name, messages in form.errors.items()
            ]
            return JsonResponse({"errors": errors}, status=400)
        return JsonResponse({"items": encoded(form.cleaned_data["levels"])})

    def _need_to_look(self, request: HttpRequest) -> None:
        if not self.has_view_or_change_permission(request) and not self.has_add_permission(request):
            raise PermissionDenied

    def preview_view(self, request: HttpRequest) -> HttpResponse:
        """Render the rows of an editor as players see them, or their refusal (L-01)."""
        self._need_to_look(request)
        stack = whole(request.POST.get("starting_stack", "")) or 0
        chips = min(stack, STACK_MAX_CHIPS)
        players = min(whole(request.POST.get("players", "")) or 0, ENTRIES_MAX)
        try:
            items = json.loads(request.POST.get("items", ""), cls=LevelsDecoder)
        except ValueError:
            items = []
        return HttpResponse(preview(items, chips, players))

    @admin.display(description=gettext_lazy("levels"))
    def level_count(self, structure: Structure) -> int:
        """Return the number of levels."""
        return len(structure.rules().levels)


LONG_BET = 10_000


def preview(items: object, starting_stack: int, players: int = 0) -> str:
    """Render levels and breaks: blinds, ante, length, and the starting stack in big blinds.

    Refusals, unusual values and the expected end with `players` come first.
    """
    try:
        structure = decoded(items)
    except Refusal as refusal:
        return _wrong(refusal)
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
    notes = format_html_join("", "{}", ((note,) for note in _notes(structure, starting_stack)))
    chips = players * starting_stack
    ends = (
        "" if players < 2 or not chips else forecast(ends_after_ms(structure, chips=chips), players)
    )
    return format_html("{}{}{}{}", notes, ends, levels, hand_out(starting_stack))


def forecast(ends_ms: int | None, players: int) -> str:
    """Say when a tournament of `players` is expected to end; None is an open end."""
    if ends_ms is None:
        words = _("With %(players)s players the blinds do not rise high enough to end it.")
        return format_html('<p class="forecast">{}</p>', words % {"players": players})
    hours, minutes = divmod(round(ends_ms / MINUTE_MS), 60)
    words = _("With %(players)s players it ends after about %(hours)s:%(minutes)s hours.")
    values = {"players": players, "hours": hours, "minutes": f"{minutes:02d}"}
    return format_html('<p class="forecast">{}</p>', words % values)


def _wrong(refusal: Refusal) -> str:
    """Render a refusal; the editor's script marks the row it names."""
    item = "" if refusal.item is None else refusal.item
    words = located(refusal)
    return format_html('<p class="errornote" data-item="{}">{}</p>', item, words)


def _notes(structure: BlindStructure, starting_stack: int) -> Iterator[str]:
    """Render a missing ante of stud, a refused stack, or a note on a shallow one (D-01, L-01)."""
    try:
        check_antes(structure)
    except Refusal as refusal:
        yield _wrong(refusal)
    if not starting_stack:
        return
    try:
        check_depth(structure, starting_stack)
    except Refusal as refusal:
        yield _wrong(refusal)
        return
    deep = depth(structure, starting_stack)
    if deep < DEPTH_SHALLOW:
        words = _("A short stack: %(count)s big blinds at the first level.")
        yield format_html('<p class="warnnote">{}</p>', words % {"count": _tenths(deep)})


def hand_out(starting_stack: int) -> str:
    """Render the chips of a starting stack, by number of players if in the source (L-03)."""
    rows = handed_out(starting_stack)
    set_words = _("The set: %(chips)s") % {"chips": _piles(CHIP_SET)}
    return format_html(
        "<h3>{}</h3>{}<table><thead><tr><th>{}</th><th>{}</th></tr></thead>"
        "<tbody>{}</tbody></table>",
        _("Chips"),
        format_html("<p>{}</p>", set_words) if starting_stack in HAND_OUT else "",
        _("Players"),
        _("Chips of each player"),
        format_html_join(
            "",
            "<tr><td>{}</td><td>{}</td></tr>",
            ((players or _("every player"), _piles(chips)) for players, chips in rows.items()),
        ),
    )


def _piles(chips: Chips) -> str:
    return ", ".join(f"{count} × {grouped(value)}" for value, count in sorted(chips.items()))


def _row(item: Level | Break, number: int, starting_stack: int) -> SafeString:
    if isinstance(item, Break):
        return format_html(
            '<tr><td colspan="3">{}</td><td>{}</td><td></td></tr>', _("Break"), _length(item)
        )
    forced = item.big_blind or item.small_bet
    depth = starting_stack / forced
    return format_html(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        number,
        _bets(item),
        grouped(item.ante) if item.ante else "–",
        _length(item),
        f"{_tenths(depth)}\N{NO-BREAK SPACE}BB",
    )


def _tenths(depth: float) -> str:
    """Write a number of big blinds in the reader's format, with one decimal where it has one."""
    shown = round(depth, 1)
    return formats.number_format(shown, 0 if shown == int(shown) else 1)


def _bets(item: Level) -> str:
    """Return the blinds, in stud the small bet, with the bets of split and spread limit."""
    least = grouped(item.big_blind or item.small_bet)
    # Long bets may break after the slash, never within a number.
    slash = "/" if item.big_blind < LONG_BET else "/\N{ZERO WIDTH SPACE}"
    forced = f"{grouped(item.small_blind)}{slash}{least}" if item.big_blind else least
    if item.big_bet:
        forced += f" · {_('split')} {least}/{grouped(item.big_bet)}"
    if item.spread_max:
        forced += f" · {_('spread')} {least}–{grouped(item.spread_max)}"
    return forced


def _length(item: Level | Break) -> str:
    if isinstance(item, Level) and item.lasts_hands:
        words = ngettext("%(count)s hand", "%(count)s hands", item.lasts_hands)
        return words % {"count": item.lasts_hands}
    minutes, seconds = divmod(item.lasts_ms // 1_000, 60)
    return f"{minutes}:{seconds:02d}"


def preview_of(tournament: Tournament) -> str:
    """Render the levels of a tournament."""
    return preview(tournament.structure, tournament.starting_stack)
