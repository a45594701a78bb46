"""Admin of cases: cases by score with their evidence, decisions with reasons, and their record."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.admin.confirmed import asked_again
from accounts.admin.operators import operator
from accounts.admin.read_only import ReadOnly
from accounts.models import User
from accounts.refusals import words_of
from config.admin_site import DeclaredLookups
from config.refusals import Refusal
from tables.conduct import case_words, deciding, drawings, evidence
from tables.conduct.models import ConductCase, PlayerReport
from tables.conduct.rules.calls import STRENGTHS
from tables.conduct.rules.times import bucket_ends_ms
from tables.history import all_cards

NOTE = "note"
_TEXT = forms.TextInput(attrs={"size": 60})


class StepForm(forms.Form):
    """Step on a case and its reason, and words to whoever is warned; a ban names one player."""

    step = forms.ChoiceField(label=_("Step"))
    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        widget=_TEXT,
        help_text=_("For the record; players never read it."),
    )
    words = forms.CharField(
        label=_("Words to the warned player"),
        max_length=300,
        required=False,
        widget=_TEXT,
        help_text=_("Beside a sentence about the sign, in the player's language."),
    )

    def __init__(self, case: ConductCase, by: User, *given: Any) -> None:
        super().__init__(*given)
        steps: list[tuple[str, Any]] = [(NOTE, _("Add a note"))]
        if case.state == ConductCase.State.OPEN:
            players = deciding.players_of(case)
            steps.append((ConductCase.State.DISMISSED, _("Dismiss")))
            if len(players) > 1:
                steps.append((ConductCase.State.WARNED, _("Warn both players")))
            for player in players:
                words = gettext("Warn %(name)s") % {"name": player.name}
                steps.append((f"{ConductCase.State.WARNED}:{player.pk}", words))
            for player in players:
                if deciding.may_ban(by, player):
                    words = gettext("Ban %(name)s") % {"name": player.name}
                    steps.append((f"{ConductCase.State.BANNED}:{player.pk}", words))
        self.fields["step"].choices = steps  # type: ignore[attr-defined]


class StaffOfConduct(ReadOnly):
    """Read-only admin for staff who decide cases."""

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return whether the user decides cases."""
        return request.user.has_perm(deciding.RIGHT)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the user decides cases."""
        return request.user.has_perm(deciding.RIGHT)


@admin.register(ConductCase)
class ConductCaseAdmin(StaffOfConduct, DeclaredLookups[ConductCase]):
    """Cases by score, open ones first; each opens on its evidence."""

    list_display = ("id", "shown_score", "sign", "user", "other", "state", "opened_at", "scored_at")
    list_display_links = ("id", "shown_score", "sign")
    list_filter = ("state", "sign")
    list_select_related = ("user", "other")
    search_fields = ("=user__name", "=other__name")
    ordering = ("-score", "-id")

    @admin.display(description=_("score"), ordering="score")
    def shown_score(self, case: ConductCase) -> str:
        """Return the score with two decimals."""
        return f"{case.score:.2f}"

    def get_queryset(self, request: HttpRequest) -> QuerySet[ConductCase]:
        """Return the cases without those of the own account."""
        own = request.user.pk
        return super().get_queryset(request).exclude(user=own).exclude(other=own)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a case with its evidence and record, or take a step on it (POST)."""
        by = operator(request)
        if not by.has_perm(deciding.RIGHT):
            raise PermissionDenied
        rows = self.get_queryset(request).select_related("user", "other")
        case = get_object_or_404(rows, pk=object_id if object_id.isdecimal() else 0)
        form = StepForm(case, by, request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid():
            is_ban = form.cleaned_data["step"].startswith(ConductCase.State.BANNED)
            if is_ban and (asked := asked_again(request)):
                return asked
            try:
                _take_step(case, by, **form.cleaned_data)
            except Refusal as refusal:
                messages.error(request, words_of(refusal))
            return redirect("admin:conduct_conductcase_change", case.pk)
        context = self.admin_site.each_context(request) | {
            "title": gettext("Case %(number)s") % {"number": case.pk},
            "opts": self.opts,
            "case": case,
            "form": form,
            "record": deciding.record_of(case),
            **_evidence(case, by),
        }
        return TemplateResponse(request, "admin/conduct/case.html", context)


@admin.register(PlayerReport)
class PlayerReportAdmin(StaffOfConduct, DeclaredLookups[PlayerReport]):
    """Reports of players, newest first."""

    list_display = ("made_at", "accused", "reason", "words", "by", "table", "hand", "case")
    list_filter = ("reason",)
    list_select_related = ("accused", "by", "table")
    search_fields = ("=accused__name", "=by__name", "words")
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[PlayerReport]:
        """Return the reports without those of the own account, which name their authors."""
        return super().get_queryset(request).exclude(accused=request.user.pk)

    @admin.display(description=_("cases"))
    def case(self, row: PlayerReport) -> str:
        """Return a link to the cases of the accused player."""
        page = reverse("admin:conduct_conductcase_changelist")
        return format_html('<a href="{}?q={}">{}</a>', page, row.accused.name, _("Cases"))


def _take_step(case: ConductCase, by: User, step: str, reason: str, words: str) -> None:
    state, _sep, key = step.partition(":")
    if state == NOTE:
        deciding.note(case, by, reason)
        return
    player = User.objects.get(pk=int(key)) if key else None
    is_warning = state == ConductCase.State.WARNED
    deciding.decide(case, by, ConductCase.State(state), reason, player, words if is_warning else "")


def _evidence(case: ConductCase, by: User) -> dict[str, Any]:
    hands = evidence.newest_hands(case)
    figures = case.figures
    return {
        "hands": list(reversed(hands)),
        "lacks_cards": any(one.flow is None for one in hands),
        "sees_cards": by.has_perm(all_cards.RIGHT),
        "flow": drawings.running_sum(
            [one.flow for one in hands if one.flow is not None],
            gettext("Big blinds given, over the hands below"),
        ),
        "times": _times(figures["times"]) if "times" in figures else "",
        "calls": _calls(figures["calls"]) if "calls" in figures else [],
        "numbers": case_words.figure_rows(case),
        "warnings": case.warnings.select_related("user").order_by("pk"),
        "logins": evidence.shared_logins(case),
        "games": evidence.common_games(case),
        "reports": evidence.reports_of(case),
    }


def _times(counts: list[int]) -> str:
    ends = [f"{end / 1_000:g}" for end in bucket_ends_ms()]
    words = [f"<{ends[0]} s", *(f"<{end}" for end in ends[1:]), f">{ends[-1]}"]
    return drawings.bars(counts, words, gettext("Decisions by their time"))


def _calls(cells: list[int]) -> list[dict[str, int]]:
    """Return a row for each class of strength: folds and calls, behind and ahead."""
    names = ("fold_behind", "stay_behind", "fold_ahead", "stay_ahead")
    return [
        {"strength": number + 1, **dict(zip(names, cells[4 * number :], strict=False))}
        for number in range(STRENGTHS)
    ]
