"""Admin of steps for a second person: staff with the right approve and decline, askers withdraw."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts import money
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


@admin.register(ApprovalRequest)
class ApprovalRequestAdmin(ReadOnly, DeclaredLookups[ApprovalRequest]):
    """Steps with who asked and who answered, the newest first."""

    list_display = ("asked_at", "kind", "about", "whole", "reason", "asked_by", "state", "answered")
    list_filter = ("state", "kind")
    list_select_related = ("asked_by", "answered_by")
    search_fields = ("=asked_by__name", "=answered_by__name", "reason")
    ordering = ("-id",)
    exclude = ("key",)
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

    @admin.display(description=_("users"))
    def about(self, row: ApprovalRequest) -> str:
        """Return the names of the first users that the step is about, and how many follow."""
        names = list(User.objects.filter(pk__in=row.users()[:5]).values_list("name", flat=True))
        rest = len(row.users()) - len(names)
        return ", ".join(names) + (f" +{rest}" if rest > 0 else "")

    @admin.display(description=_("amount"))
    def whole(self, row: ApprovalRequest) -> str:
        """Return the whole amount of a credit."""
        return money.text(row.amount) if row.kind == ApprovalRequest.Kind.CREDIT else ""

    @admin.display(description=_("answered by"))
    def answered(self, row: ApprovalRequest) -> str:
        """Return who answered, with the time."""
        return f"{row.answered_by} {row.answered_at:%Y-%m-%d %H:%M}" if row.answered_at else ""

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
            try:
                done = answer(row.pk, operator(request))
            except Refusal as refusal:
                messages.error(request, f"{row}: {words_of(refusal)}")
            else:
                messages.success(request, f"{row}: {done.get_state_display()}")
        return None
