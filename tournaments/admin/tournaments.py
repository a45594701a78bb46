"""Admin of tournaments: made from a structure, and run with a reason for each step."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import ADDITION, LogEntry
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import money
from accounts.admin.operators import operator
from accounts.refusals import words_of
from config.admin_site import DeclaredLookups
from config.inputs.numbers import whole
from config.refusals import Refusal
from tournaments.admin import links, rulings, step_pages
from tournaments.admin.offers import passwords, payouts
from tournaments.admin.offers import prizes as offer_prizes
from tournaments.admin.offers.fields import ASKED
from tournaments.admin.offers.form import TournamentSpecForm
from tournaments.admin.rulings import RULE, TELL
from tournaments.admin.steps import RUN
from tournaments.admin.structures import preview_of
from tournaments.models import Template, Tournament
from tournaments.running import series
from tournaments.schedule import options, targets

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
    actions = (*step_pages.ACTIONS, "keep_as_template")

    def has_view_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """Return whether the user sees tournaments; whoever runs, rules or tells there does."""
        works = any(request.user.has_perm(right) for right in (RUN, RULE, TELL))
        return works or super().has_view_permission(request, obj)

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
        if like := _cloned(request):
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
        rows = path(
            "payouts/", self.admin_site.admin_view(self.payouts), name="tournaments_payouts"
        )
        prizes = path(
            "prizes/", self.admin_site.admin_view(self.prizes), name="tournaments_offer_prizes"
        )
        return [
            rows,
            prizes,
            *step_pages.urls(self.admin_site),
            *rulings.urls(self.admin_site),
            *super().get_urls(),
        ]

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

    @admin.action(description=gettext_lazy("Keep as a template"), permissions=["keep"])
    def keep_as_template(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        """Make a template of each tournament, under its name; set its schedule there."""
        for tournament in queryset:
            try:
                with transaction.atomic():
                    template = series.from_tournament(tournament, tournament.name)
                    words = f"kept from tournament {tournament.pk}"
                    LogEntry.objects.log_actions(operator(request).pk, [template], ADDITION, words)
            except Refusal as refusal:
                messages.error(request, f"{tournament}: {words_of(refusal)}")
            else:
                messages.success(request, _("Template %(name)s was made.") % {"name": template})

    def has_keep_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may add templates."""
        return request.user.has_perm("tournaments.add_template")

    @admin.display(description=gettext_lazy("next step"))
    def running(self, tournament: Tournament) -> str:
        """Return the links on a tournament's page for its operator."""
        return links.of_page(tournament, tournament.viewer)  # type: ignore[attr-defined]  # by get_object

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Return the row, with the operator of the request."""
        tournament: Any = super().get_object(request, *args, **kwargs)
        if tournament is not None:
            tournament.viewer = request.user
        return tournament

    def get_list_display(self, request: HttpRequest) -> Any:
        """Return the columns that fit a page, with the links this operator may follow."""

        @admin.display(description=_("next step"))
        def steps(tournament: Tournament) -> str:
            return links.of_row(tournament, request.user)

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


def _asked_row(request: HttpRequest, name: str, model: type[Any]) -> Any:
    """Return a model's row by the number in the address; None without one."""
    number = whole(request.GET.get(name, ""))
    return None if number is None else model.objects.filter(pk=number).first()


def _cloned(request: HttpRequest) -> Tournament | None:
    """Return the tournament to copy; None for a club's, whose copy in the room is open to all."""
    like = _asked_row(request, "clone", Tournament)
    return None if like is None or like.club_id is not None else like


def _led_on(given: dict[str, Any], template: int | None) -> dict[str, Any]:
    """Return a template's initial values, with a satellite's next target (K-08)."""
    target = given.get("target")
    return given if target is None else given | {"target": targets.ahead(target, but=template)}


def _kept_hash(request: HttpRequest) -> str:
    """Return the password hash of a new tournament's source: a template, or a tournament (T-02)."""
    like = _asked_row(request, "template", Template) or _cloned(request)
    return "" if like is None else like.password
