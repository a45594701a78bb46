"""Admin of steps for a second person: staff with the right approve and decline, askers withdraw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.html import format_html_join
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from accounts import money
from accounts.admin.asked_rights import rights_in_words
from accounts.admin.operators import operator
from accounts.admin.read_only import ReadOnly
from accounts.approvals import answering
from accounts.approvals.models import ApprovalRequest
from accounts.models import User
from accounts.pages.confirm import ask_again, is_confirmed
from accounts.refusals import words_of
from config.admin_site import DeclaredLookups
from config.refusals import Refusal

Answer = Callable[[int, User], ApprovalRequest]
NAMES_SHOWN = 5
"""Users of a step that the list names."""


@admin.register(ApprovalRequest)
class ApprovalRequestAdmin(ReadOnly, DeclaredLookups[ApprovalRequest]):
    """Steps with who asked and who answered, the newest first."""

    list_display = (
        *("asked_at", "kind", "about", "whole", "rights", "reason"),
        *("asked_by", "state", "answered"),
    )
    list_filter = ("state", "kind")
    list_select_related = ("asked_by", "answered_by")
    search_fields = ("=asked_by__name", "=answered_by__name", "reason")
    ordering = ("-id",)
    fields = (
        *("kind", "about", "whole", "rights", "reason", "state"),
        *("asked_by", "asked_at", "answered_by", "answered_at"),
    )
    readonly_fields = ("about", "whole", "rights")
    actions = ("approve", "decline", "withdraw")

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return whether the user has the right to steps of a kind."""
        return self.has_answer_permission(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the list is offered to the user."""
        return self.has_answer_permission(request)

    def has_answer_permission(self, request: HttpRequest) -> bool:
        """Return whether the user answers steps of some kind."""
        user = request.user
        kinds = ApprovalRequest.Kind.values
        return isinstance(user, User) and any(answering.may_answer(user, kind) for kind in kinds)

    def with_live_facts(self, rows: Any) -> list[Any]:
        """Give each step of a list the names of its first users, and its rights in words."""
        steps: list[Any] = list(rows)
        shown = {step.pk: step.users()[:NAMES_SHOWN] for step in steps}
        numbers = {number for some in shown.values() for number in some}
        names = dict(User.objects.filter(pk__in=numbers).values_list("pk", "name"))
        words = rights_in_words(steps)
        for step in steps:
            step.names = [names[number] for number in shown[step.pk] if number in names]
            step.rights_words = words.get(step.pk, [])
        return steps

    @admin.display(description=_("users"))
    def about(self, row: Any) -> str:
        """Return the names of the first users of a step and how many follow; on its page all."""
        if not hasattr(row, "names"):
            names = User.objects.filter(pk__in=row.users()).order_by("name_key")
            return ", ".join(names.values_list("name", flat=True))
        rest = len(row.users()) - len(row.names)
        return ", ".join(row.names) + (f" +{rest}" if rest > 0 else "")

    @admin.display(description=_("rights"))
    def rights(self, row: Any) -> str:
        """Return what a step of rights gives and takes, one a line."""
        if not hasattr(row, "rights_words"):
            row.rights_words = rights_in_words([row]).get(row.pk, [])
        return format_html_join("", "<div>{}</div>", ((words,) for words in row.rights_words))

    @admin.display(description=_("amount"))
    def whole(self, row: ApprovalRequest) -> str:
        """Return the whole amount of a credit."""
        return money.text(row.amount) if row.kind == ApprovalRequest.Kind.CREDIT else ""

    @admin.display(description=_("answered by"))
    def answered(self, row: ApprovalRequest) -> str:
        """Return who answered, with the time."""
        if row.answered_at is None:
            return ""
        at = date_format(localtime(row.answered_at), "SHORT_DATETIME_FORMAT")
        return f"{row.answered_by} {at}"

    @admin.action(description=_("Approve the selected steps"), permissions=["answer"])
    def approve(self, request: HttpRequest, rows: QuerySet[ApprovalRequest]) -> HttpResponse | None:
        """Carry steps out as their second person."""
        return self._each(request, rows, answering.approve)

    @admin.action(description=_("Decline the selected steps"), permissions=["answer"])
    def decline(self, request: HttpRequest, rows: QuerySet[ApprovalRequest]) -> HttpResponse | None:
        """Decline steps as their second person."""
        return self._each(request, rows, answering.decline)

    @admin.action(description=_("Withdraw the selected own steps"), permissions=["answer"])
    def withdraw(
        self, request: HttpRequest, rows: QuerySet[ApprovalRequest]
    ) -> HttpResponse | None:
        """Withdraw own steps."""
        return self._each(request, rows, answering.withdraw)

    def _each(
        self, request: HttpRequest, rows: QuerySet[ApprovalRequest], answer: Answer
    ) -> HttpResponse | None:
        if not is_confirmed(request):
            return ask_again(request, request.path)
        for row in rows.order_by("pk"):
            name = f"{row.get_kind_display()} #{row.pk}"
            try:
                done = answer(row.pk, operator(request))
            except Refusal as refusal:
                messages.error(request, f"{name}: {words_of(refusal)}")
            else:
                messages.success(request, f"{name}: {done.get_state_display()}")
        return None
