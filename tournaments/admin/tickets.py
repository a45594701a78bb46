"""Admin of tickets: issued to players by name, withdrawn, and their history (K-01)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminSplitDateTime
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import money
from accounts.admin.once import TokenField
from accounts.admin.read_only import ReadOnly
from accounts.models import User
from accounts.names import fold
from accounts.pages.confirm import ask_again, is_confirmed
from accounts.refusals import words_of
from config.admin_site import DeclaredLookups, LatestValues
from config.refusals import Refusal
from tournaments.models import Ticket
from tournaments.prizes import tickets

OWNERS_MAX = 500
ISSUE = "tournaments.add_ticket"


class IssueForm(forms.Form):
    """The owners, worth, activity, window and reason of new tickets."""

    owners = forms.CharField(
        label=_("Players"), widget=forms.Textarea, help_text=_("Their names, one a line.")
    )
    value = money.AmountField(label=_("Worth"), help_text=_("For example 25.00"))
    scope = forms.CharField(
        label=_("For"), max_length=40, help_text=_("The activity of the tournaments it pays for.")
    )
    valid_from = forms.SplitDateTimeField(
        label=_("Valid from"),
        required=False,
        widget=AdminSplitDateTime,
        help_text=_("Empty: from now on."),
    )
    valid_until = forms.SplitDateTimeField(label=_("Valid until"), widget=AdminSplitDateTime)
    exchangeable = forms.BooleanField(label=_("Exchangeable for money"), required=False)
    source = forms.ChoiceField(
        label=_("As"),
        choices=[
            (source, source.label) for source in (Ticket.Source.ADMIN, Ticket.Source.PROMOTION)
        ],
    )
    reason = forms.CharField(label=_("Reason"), max_length=300)
    token = TokenField()

    def clean_owners(self) -> list[User]:
        """Return the users of these names, each once."""
        names = [name.strip() for name in self.cleaned_data["owners"].splitlines() if name.strip()]
        if len(names) > OWNERS_MAX:
            text = gettext("At most %(most)d users at once.") % {"most": OWNERS_MAX}
            raise forms.ValidationError(text, code="too_many")
        users = {user.name_key: user for user in User.objects.filter(name_key__in=map(fold, names))}
        missing = [name for name in names if fold(name) not in users]
        if missing:
            raise no_such_player(missing[0])
        return list(users.values())


def no_such_player(name: str) -> forms.ValidationError:
    """Return the error of a form that names a player who is none."""
    text = gettext("There is no player %(name)s.") % {"name": name}
    return forms.ValidationError(text, code="no_such_user")


@admin.register(Ticket)
class TicketAdmin(ReadOnly, DeclaredLookups[Ticket]):
    """All tickets; new ones are issued on their own page, with the ledger's liability."""

    list_display = (
        *("id", "owner", "value_text", "scope", "state", "valid_from", "valid_until"),
        *("exchangeable", "source", "won_in", "reason"),
    )
    fields = (
        *("owner", "value_text", "scope", "state", "valid_from", "valid_until"),
        *("exchangeable", "source", "won_in", "reason", "issued_at", "closed_at"),
    )
    list_filter = ("state", "source", ("scope", LatestValues))
    list_select_related = ("owner", "won_in")
    search_fields = ("owner__name", "=scope", "reason")
    ordering = ("-id",)
    actions = ("withdraw",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may issue tickets."""
        return request.user.has_perm(ISSUE)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user sees the tickets; whoever issues them withdraws them there."""
        return self.has_add_permission(request) or super().has_view_permission(request, obj)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the form, and issue its tickets once."""
        if not self.has_add_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        if not is_confirmed(request):
            return ask_again(request, request.path)
        first = {"source": Ticket.Source.ADMIN}
        form = IssueForm(request.POST or None, initial=first)
        if form.is_valid() and self._issued(request, form):
            return HttpResponseRedirect(reverse("admin:tournaments_ticket_changelist"))
        context = self.admin_site.each_context(request) | {
            "title": gettext("Issue tickets"),
            "opts": self.opts,
            "form": form,
            "media": self.media + form.media,
        }
        return TemplateResponse(request, "admin/tournaments/ticket/issue.html", context)

    def _issued(self, request: HttpRequest, form: IssueForm) -> bool:
        given = dict(form.cleaned_data)
        owners = given.pop("owners")
        given["valid_from"] = given["valid_from"] or timezone.now()
        try:
            with transaction.atomic():
                issued = tickets.issue(owners, **given)
                for ticket in issued:
                    self.log_addition(request, ticket, given["reason"])
        except Refusal as refusal:
            form.add_error(None, words_of(refusal))
            return False
        done = ngettext("%(count)d ticket issued.", "%(count)d tickets issued.", len(issued))
        self.message_user(request, done % {"count": len(issued)})
        return True

    @admin.action(description=_("Withdraw"), permissions=["add"])
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Ticket]) -> HttpResponse | None:
        """Withdraw valid tickets; their worth returns to the room."""
        if not is_confirmed(request):
            return ask_again(request, request.path)
        chosen = list(queryset.values_list("pk", flat=True))
        with transaction.atomic():
            taken = tickets.withdraw(chosen)
            for ticket in taken:
                self.log_change(request, ticket, "withdrawn")
        if taken:
            done = ngettext(
                "%(count)d ticket withdrawn.", "%(count)d tickets withdrawn.", len(taken)
            )
            self.message_user(request, done % {"count": len(taken)}, messages.SUCCESS)
        if left := len(chosen) - len(taken):
            words = ngettext(
                "%(count)d ticket is not valid any more and stays as it is.",
                "%(count)d tickets are not valid any more and stay as they are.",
                left,
            )
            self.message_user(request, words % {"count": left}, messages.WARNING)
        return None

    @admin.display(description=_("value"), ordering="value")
    def value_text(self, ticket: Ticket) -> str:
        """Return the worth in major units."""
        return money.text(ticket.value)
