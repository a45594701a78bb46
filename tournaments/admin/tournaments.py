"""Admin of tournaments: made from a structure, and run with a reason for each step."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import money
from accounts.admin.operators import operator
from accounts.refusals import words_of
from config.admin_site import DeclaredLookups
from config.numbers import whole
from config.refusals import Refusal
from tournaments.admin import rulings
from tournaments.admin.offers import passwords, payouts
from tournaments.admin.offers import prizes as offer_prizes
from tournaments.admin.offers.fields import ASKED
from tournaments.admin.offers.form import TournamentSpecForm
from tournaments.admin.steps import CONSEQUENCES, ROOM_PARTS, STEPS, may, preview
from tournaments.admin.structures import preview_of
from tournaments.engine import lifecycle
from tournaments.models import Template, Tournament
from tournaments.running import operations, series
from tournaments.schedule import options, targets

RUN = "tournaments.run_tournament"

SHOWN = (
    *("state", "is_private", "entrants", "left", "pool_text", "running", "levels"),
    *("structure_name", "created_at", "finished_at"),
)


@admin.register(Tournament)
class TournamentAdmin(DeclaredLookups[Tournament]):
    """Tournaments: announced ones are made here; later ones are run by steps, never edited."""

    list_display = (
        "id",
        "name",
        "state",
        "entrants",
        "left",
        "starts_at",
    )
    list_filter = ("state", "format", "start")
    search_fields = ("name", "=id")
    date_hierarchy = "created_at"
    ordering = ("-id",)
    actions = (
        *("open_chosen", "start_chosen", "pause_chosen", "resume_chosen"),
        *("cancel_chosen", "forward_chosen", "keep_as_template"),
    )

    def has_change_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """Refuse to edit a tournament: players may have registered for it."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """Refuse to delete: cancelled tournaments stay, with their bookings."""
        return False

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Return the form of a new tournament; a copy of a private one stays private."""
        if obj is None:
            kwargs |= {"form": TournamentSpecForm, "fields": ASKED}
        form: Any = super().get_form(request, obj, change, **kwargs)
        if obj is None:
            form.kept_hash = _kept_hash(request)
        return form

    def get_fieldsets(self, request: HttpRequest, obj: Tournament | None = None) -> Any:
        """Group every option by topic; required fields, or the progress, come first."""
        if obj is None:
            secret = passwords.asked(_kept_hash(request))
            first = ("structure_row", "hours", *secret, "reason", "start_zone", "token")
            return ((None, {"fields": first}), *offer_prizes.fieldsets(ASKED))
        groups = ((words, {"fields": names}) for words, names in options.GROUPS.values())
        return ((None, {"fields": SHOWN}), *groups)

    def get_readonly_fields(self, request: HttpRequest, obj: Tournament | None = None) -> Any:
        """Make all fields of an existing tournament read-only."""
        return () if obj is None else (*SHOWN, *ASKED)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Fill the form: empty, from a template, or from another tournament (a clone)."""
        initial: dict[str, Any] = super().get_changeform_initial_data(request)
        if template := _asked_row(request, "template", Template):
            given = {"name": template.name} | options.read(template.offer)
            return initial | _led_on(given, template.pk) | {"structure_row": template.structure}
        if like := _asked_row(request, "clone", Tournament):
            given = _led_on({name: getattr(like, name) for name in ASKED}, like.template_id)
            return (
                initial | given | {"structure_row": series.known_structure(like), "starts_at": None}
            )
        return initial

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Create the tournament with its audit row and its wake."""
        assert not change
        tournament = form.create(request.user, _asked_row(request, "template", Template))
        obj.pk = tournament.pk
        obj.refresh_from_db()

    def get_urls(self) -> list[URLPattern]:
        """Return the pages, with one for each step that shows its effect and asks for a reason."""
        step = path(
            "step/<str:step>/", self.admin_site.admin_view(self.step), name="tournaments_step"
        )
        rows = path(
            "payouts/", self.admin_site.admin_view(self.payouts), name="tournaments_payouts"
        )
        prizes = path(
            "prizes/", self.admin_site.admin_view(self.prizes), name="tournaments_offer_prizes"
        )
        return [step, rows, prizes, *rulings.urls(self.admin_site), *super().get_urls()]

    def payouts(self, request: HttpRequest) -> HttpResponse:
        """Preview a custom payout table for users who may add tournaments."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return payouts.preview(self, request)

    def prizes(self, request: HttpRequest) -> HttpResponse:
        """Show the prizes of the unsaved form; nothing is stored."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return offer_prizes.shown(self.get_form(request)(request.POST))

    def step(self, request: HttpRequest, step: str) -> HttpResponse:
        """Ask for a reason, then take the step for each of the chosen tournaments."""
        if step not in STEPS:
            raise Http404
        if not request.user.has_perm(RUN):
            raise PermissionDenied
        chosen = list(Tournament.objects.filter(pk__in=_numbers(request)).order_by("pk"))
        reason = request.POST.get("reason", "").strip()[:300]
        if request.method == "POST" and reason:
            self._take(request, step, chosen, reason)
            return HttpResponseRedirect(_back(chosen))
        context = self.admin_site.each_context(request) | {
            "title": STEPS[step],
            "consequence": CONSEQUENCES[step],
            "opts": self.opts,
            "chosen": [preview(tournament, step) for tournament in chosen],
            "is_cancel": step.startswith("cancel"),
            "room_part": ROOM_PARTS.get(step),
            "reason_missing": request.method == "POST",
        }
        return TemplateResponse(request, "admin/tournaments/tournament/step.html", context)

    def _take(self, request: HttpRequest, step: str, chosen: list[Tournament], reason: str) -> None:
        for tournament in chosen:
            try:
                take = getattr(operations, step)
                take(tournament.pk, actor=operator(request), reason=reason)
            except Refusal as refusal:
                messages.error(request, f"{tournament}: {words_of(refusal)}")
            else:
                messages.success(request, f"{tournament}: {STEPS[step]}")

    @admin.action(description=STEPS["open"], permissions=["run"])
    def open_chosen(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> HttpResponse:
        """Redirect to the page of the step "open"."""
        return _to_step("open", queryset)

    @admin.action(description=STEPS["start"], permissions=["run"])
    def start_chosen(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> HttpResponse:
        """Redirect to the page of the step "start"."""
        return _to_step("start", queryset)

    @admin.action(description=STEPS["pause"], permissions=["run"])
    def pause_chosen(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> HttpResponse:
        """Redirect to the page of the step "pause"."""
        return _to_step("pause", queryset)

    @admin.action(description=STEPS["resume"], permissions=["run"])
    def resume_chosen(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> HttpResponse:
        """Redirect to the page of the step "resume"."""
        return _to_step("resume", queryset)

    @admin.action(description=STEPS["cancel"], permissions=["run"])
    def cancel_chosen(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> HttpResponse:
        """Redirect to the page of the step "cancel"."""
        return _to_step("cancel", queryset)

    @admin.action(description=STEPS["cancel_forward"], permissions=["run"])
    def forward_chosen(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> HttpResponse:
        """Redirect to the page of the step "cancel_forward"."""
        return _to_step("cancel_forward", queryset)

    @admin.action(description=gettext_lazy("Keep as a template"), permissions=["keep"])
    def keep_as_template(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        """Make a template of each tournament, under its name; set its schedule there."""
        for tournament in queryset:
            try:
                template = series.from_tournament(tournament, tournament.name)
            except Refusal as refusal:
                messages.error(request, f"{tournament}: {words_of(refusal)}")
            else:
                messages.success(request, _("Template %(name)s was made.") % {"name": template})

    def has_keep_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may add templates."""
        return request.user.has_perm("tournaments.add_template")

    def links(self, tournament: Tournament, user: Any) -> str:
        """Return links to the steps that are legal now and allowed to this operator."""
        legal = [
            (reverse("admin:tournaments_step", args=[step]), tournament.pk, words)
            for step, words in STEPS.items()
            if user.has_perm(RUN) and may(tournament, step)
        ]
        links = [format_html('<a href="{}?ids={}">{}</a>', *parts) for parts in legal]
        links.append(_cockpit(tournament))
        if user.has_perm("tournaments.add_tournament"):
            links.append(_clone(tournament))
        if user.has_perm(rulings.TELL) and tournament.state not in lifecycle.ENDED:
            tell = reverse("admin:tournaments_message", args=[tournament.pk])
            links.append(format_html('<a href="{}">{}</a>', tell, _("Message to all")))
        if tournament.state in lifecycle.PLAYED:
            entries = reverse("admin:tournaments_entry_changelist")
            link = '<a href="{}?tournament__id__exact={}">{}</a>'
            links.append(format_html(link, entries, tournament.pk, _("Players")))
            if user.has_perm(RUN):
                feature = reverse("admin:tournaments_feature", args=[tournament.pk])
                links.append(format_html('<a href="{}">{}</a>', feature, _("Featured table")))
            now = '<a href="{}?tournament={}">{}</a>'
            links.append(format_html(now, reverse("admin_live"), tournament.pk, _("Live")))
        return format_html_join(" · ", "{}", ((link,) for link in links))

    @admin.display(description=gettext_lazy("next step"))
    def running(self, tournament: Tournament) -> str:
        """Return the links on a tournament's page for its operator."""
        viewer = tournament.viewer  # type: ignore[attr-defined]  # set by get_object
        return self.links(tournament, viewer)

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Return the row, with the operator of the request."""
        tournament: Any = super().get_object(request, *args, **kwargs)
        if tournament is not None:
            tournament.viewer = request.user
        return tournament

    def get_list_display(self, request: HttpRequest) -> Any:
        """Return the columns that fit a page, with the links this operator may follow."""
        may_clone = request.user.has_perm("tournaments.add_tournament")

        @admin.display(description=_("next step"))
        def steps(tournament: Tournament) -> str:
            links = [_cockpit(tournament), *([_clone(tournament)] if may_clone else [])]
            return format_html_join(" · ", "{}", ((link,) for link in links))

        return (*self.list_display, steps)

    def has_run_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may take steps of tournaments."""
        return request.user.has_perm(RUN)

    @admin.display(description=gettext_lazy("private"), boolean=True)
    def is_private(self, tournament: Tournament) -> bool:
        """Return whether registration needs its password (T-02)."""
        return bool(tournament.password)

    @admin.display(description=gettext_lazy("prize pool"))
    def pool_text(self, tournament: Tournament) -> str:
        """Return the pool in major units, once it is fixed."""
        return "–" if tournament.pool is None else money.text(tournament.pool)

    @admin.display(description=gettext_lazy("levels"))
    def levels(self, tournament: Tournament) -> str:
        """Return the levels of the tournament."""
        return preview_of(tournament)


def _cockpit(tournament: Tournament) -> SafeString:
    page = reverse("cockpit", args=[tournament.pk])
    return format_html('<a href="{}">{}</a>', page, _("Cockpit"))


def _clone(tournament: Tournament) -> SafeString:
    page = reverse("admin:tournaments_tournament_add")
    return format_html('<a href="{}?clone={}">{}</a>', page, tournament.pk, _("Clone"))


def _asked_row(request: HttpRequest, name: str, model: type[Any]) -> Any:
    """Return a model's row by the number in the address; None without one."""
    number = whole(request.GET.get(name, ""))
    return None if number is None else model.objects.filter(pk=number).first()


def _led_on(given: dict[str, Any], template: int | None) -> dict[str, Any]:
    """Return a template's initial values, with a satellite's next target (K-08)."""
    target = given.get("target")
    return given if target is None else given | {"target": targets.ahead(target, but=template)}


def _kept_hash(request: HttpRequest) -> str:
    """Return the password hash of a new tournament's source: a template, or a tournament (T-02)."""
    like = _asked_row(request, "template", Template) or _asked_row(request, "clone", Tournament)
    return "" if like is None else like.password


def _numbers(request: HttpRequest) -> list[int]:
    """Return the numbers of rows in the address; other values are ignored."""
    named = map(whole, request.GET.get("ids", "").split(","))
    return [number for number in named if number is not None]


def _to_step(step: str, queryset: QuerySet[Tournament]) -> HttpResponse:
    ids = ",".join(str(pk) for pk in queryset.order_by("pk").values_list("pk", flat=True))
    return HttpResponseRedirect(f"{reverse('admin:tournaments_step', args=[step])}?ids={ids}")


def _back(chosen: list[Tournament]) -> str:
    if len(chosen) == 1:
        return reverse("admin:tournaments_tournament_change", args=[chosen[0].pk])
    return reverse("admin:tournaments_tournament_changelist")
