"""Admin of penalties: ordered with a reason, then read-only (P-03)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import money
from accounts.admin.once import TokenField
from accounts.admin.read_only import ReadOnly
from accounts.admin.refused_adds import RefusedAdds
from accounts.admin.units import UnitField
from accounts.refusals import words_of
from config.refusals import Refusal
from tables.ring.admin.reasons import operator
from tables.ring.models import Penalty
from tables.ring.sessions import penalties


class PenaltyForm(forms.ModelForm[Penalty]):
    """Order of a penalty: the session of the player, the amount in money, the reason."""

    token = TokenField(required=False)
    amount = UnitField(label=_("Amount"), scale=100, places=2, max_digits=12)

    class Meta:
        model = Penalty
        fields = ("session", "amount", "reason")

    def clean(self) -> dict[str, Any]:
        """Refuse an amount that the player cannot pay, beside its field."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        try:
            if penalties.ordered(given["session"], given["token"]) is None:
                penalties.check_amount(given["session"], given["amount"])
        except Refusal as refusal:
            self.add_error(
                refusal.field or "session", forms.ValidationError(words_of(refusal), refusal.code)
            )
        return given

    def _post_clean(self) -> None:
        """Leave the row to the function that orders the penalty."""


@admin.register(Penalty)
class PenaltyAdmin(ReadOnly, RefusedAdds[Penalty]):
    """Penalties with what was taken of them, and in which hand."""

    form = PenaltyForm
    list_display = (
        *("id", "session", "amount_text", "taken_text", "taken_hand"),
        *("by", "reason", "ordered_at"),
    )
    list_select_related = ("session", "by")
    search_fields = ("session__name", "reason")
    raw_id_fields = ("session",)
    ordering = ("-id",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may order penalties."""
        return request.user.has_perm("ring.add_penalty")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of the order; of an ordered penalty also what was taken."""
        if obj is None:
            return (*PenaltyForm.Meta.fields, "token")
        return ("session", "amount_text", "reason", "by", "ordered_at", "taken_text", "taken_hand")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Make all fields of an ordered penalty read-only."""
        return () if obj is None else self.get_fields(request, obj)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Order the penalty with its audit row."""
        given = form.cleaned_data
        by, session, token = operator(request), given["session"], given["token"]
        amount, reason = given["amount"], given["reason"]
        obj.pk = penalties.order(by, session.pk, amount, reason, token=token).pk

    @admin.display(description=_("amount"), ordering="amount")
    def amount_text(self, row: Penalty) -> str:
        """Return the ordered amount in major units."""
        return money.text(row.amount)

    @admin.display(description=_("taken"), ordering="taken")
    def taken_text(self, row: Penalty) -> str:
        """Return the taken amount in major units."""
        return "–" if row.taken_hand is None else money.text(row.taken)
