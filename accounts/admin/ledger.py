"""Read-only admin of the ledger, with its proof and its CSV export."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import money
from accounts.admin import promotions
from accounts.admin.read_only import ReadOnly
from accounts.ledger import export, kinds
from accounts.ledger.proof import balance_proof
from accounts.models import Account, Posting, Transfer
from accounts.models.ledger import NO_FLOOR
from config.admin_site import DeclaredLookups
from config.door.parts import without_blocking


@admin.register(Account)
class AccountAdmin(ReadOnly, DeclaredLookups[Account]):
    """Accounts with their balances, and the page that proves the ledger."""

    list_display = ("id", "kind", "user", "ref", "balance_text", "floor_text")
    fields = ("kind", "user", "ref", "balance_text", "floor_text")
    list_filter = ("kind",)
    list_select_related = ("user",)
    search_fields = ("user__name", "=ref")
    ordering = ("-id",)
    change_list_template = "admin/accounts/account/ledger_list.html"

    @admin.display(description=_("balance"), ordering="balance")
    def balance_text(self, account: Account) -> str:
        """Return the balance in major units."""
        return money.text(account.balance)

    @admin.display(description=_("lowest balance"), ordering="floor")
    def floor_text(self, account: Account) -> str:
        """Return the lowest balance in major units; a dash where there is none."""
        return "–" if account.floor <= NO_FLOOR else money.text(account.floor)

    def get_urls(self) -> list[URLPattern]:
        """Add the pages of the proof and of the promotions."""
        proof = path(
            "proof/", self.admin_site.admin_view(self.proof), name="accounts_account_proof"
        )
        funds = path(
            "promotions/", self.admin_site.admin_view(self.promotions), name="accounts_promotions"
        )
        return [proof, funds, *super().get_urls()]

    def promotions(self, request: HttpRequest) -> HttpResponse:
        """Show what the promotions can still promise, and take money for them."""
        return promotions.page(self, request)

    def proof(self, request: HttpRequest) -> HttpResponse:
        """Recompute the whole ledger and show the result."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        result = balance_proof()
        context = self.admin_site.each_context(request) | {
            "title": gettext("Balance proof"),
            "opts": self.opts,
            "proof": result,
            "total": money.text(result.total),
        }
        return TemplateResponse(request, "admin/accounts/account/proof.html", context)


class PostingInline(ReadOnly, admin.TabularInline[Posting, Transfer]):
    """Postings of the transfer on the page."""

    model = Posting
    fields = ("account", "amount_text", "balance_text")
    readonly_fields = fields
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Posting]:
        """Return the postings with their accounts and owners, which the rows name."""
        return super().get_queryset(request).select_related("account__user")

    @admin.display(description=_("amount"))
    def amount_text(self, posting: Posting) -> str:
        """Return the amount in major units."""
        return money.text(posting.amount)

    @admin.display(description=_("balance after"))
    def balance_text(self, posting: Posting) -> str:
        """Return the balance in major units."""
        return money.text(posting.balance_after)


class KindFilter(admin.SimpleListFilter):
    """Filter by the kind of a transfer, from the known ones.

    Django would read the kinds of all transfers of the room for each look at the list.
    """

    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the kinds with their names on statements."""
        return [(kind, kinds.words(kind)) for kind in kinds.KINDS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows of the chosen kind."""
        kind = self.value()
        return queryset.filter(**{self.parameter_name: kind}) if kind else queryset


class PostedKindFilter(KindFilter):
    """Filter of postings by the kind of their transfer."""

    parameter_name = "transfer__kind"


@admin.register(Transfer)
class TransferAdmin(ReadOnly, DeclaredLookups[Transfer]):
    """Transfers, newest first."""

    list_display = ("id", "created", "kind", "key", "memo")
    list_filter = (KindFilter, "created")
    search_fields = ("=key", "memo")
    ordering = ("-id",)
    inlines = (PostingInline,)


@admin.register(Posting)
class PostingAdmin(ReadOnly, DeclaredLookups[Posting]):
    """Postings, with the CSV export."""

    list_display = ("id", "time", "kind", "account", "amount_text", "balance_text", "transfer")
    fields = ("time", "kind", "account", "amount_text", "balance_text", "transfer")
    list_filter = (PostedKindFilter, "account__kind", "transfer__created")
    list_select_related = ("transfer", "account__user")
    search_fields = ("=transfer__key", "account__user__name", "=account__ref")
    ordering = ("-id",)
    actions = ("as_csv",)

    @admin.action(description=_("Download as CSV"), permissions=["view"])
    def as_csv(self, request: HttpRequest, queryset: QuerySet[Posting]) -> StreamingHttpResponse:
        """Stream the chosen postings as a CSV file: they may be the whole ledger."""
        return StreamingHttpResponse(
            without_blocking(export.parts(export.chosen(queryset))),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="ledger.csv"'},
        )

    @admin.display(description=_("time"), ordering="transfer__created")
    def time(self, posting: Posting) -> Any:
        """Return the time at which the transfer was booked."""
        return posting.transfer.created

    @admin.display(description=_("kind"), ordering="transfer__kind")
    def kind(self, posting: Posting) -> str:
        """Return the kind of the transfer."""
        return posting.transfer.kind

    @admin.display(description=_("amount"), ordering="amount")
    def amount_text(self, posting: Posting) -> str:
        """Return the amount in major units."""
        return money.text(posting.amount)

    @admin.display(description=_("balance after"), ordering="balance_after")
    def balance_text(self, posting: Posting) -> str:
        """Return the balance in major units."""
        return money.text(posting.balance_after)
