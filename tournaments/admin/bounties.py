"""Admin of the room's bounties: put on chosen players with a reason, and taken off (N-02)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import money
from accounts.admin.operators import operator
from accounts.admin.read_only import ReadOnly
from accounts.admin.refused_adds import RefusedAdds
from accounts.models import User
from accounts.names import fold
from accounts.refusals import words_of
from config import limits
from config.refusals import Refusal
from tournaments.admin.steps import RUN
from tournaments.admin.tickets import no_such_player
from tournaments.engine import lifecycle
from tournaments.models import RoomBounty, Tournament
from tournaments.prizes import room_bounties


class RoomBountyForm(forms.ModelForm[RoomBounty]):
    """The player, tournament, amount and reason of a bounty.

    The player is named: a search in the list of users would need the right to see it.
    """

    user = forms.CharField(
        label=_("Player"), max_length=limits.NAME_MAX_CHARACTERS, help_text=_("The player's name.")
    )
    amount = money.AmountField(label=_("Amount"), help_text=_("For example 25.00"))
    reason = forms.CharField(label=_("Reason"), max_length=300)

    class Meta:
        model = RoomBounty
        fields = ("tournament", "user", "amount")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        live = Tournament.objects.filter(state__in=lifecycle.NOT_ENDED)
        # A model form makes this field a ModelChoiceField.
        self.fields["tournament"].queryset = live  # type: ignore[attr-defined]

    def clean_user(self) -> User:
        """Return the user of this name."""
        name = self.cleaned_data["user"]
        user = User.objects.filter(name_key=fold(name)).first()
        if user is None:
            raise no_such_player(name)
        return user

    def clean(self) -> dict[str, Any]:
        """Refuse what the check of the room's bounties refuses."""
        given = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                room_bounties.validate_bounty(given["tournament"], given["user"], given["amount"])
            except Refusal as refusal:
                raise forms.ValidationError(words_of(refusal), code=refusal.code) from refusal
        return given

    def _post_clean(self) -> None:
        """Leave the row to the function that puts the bounty, which also refuses."""


@admin.register(RoomBounty)
class RoomBountyAdmin(ReadOnly, RefusedAdds[RoomBounty]):
    """Bounties of the room with their players and payment."""

    form = RoomBountyForm
    fields = ("tournament", "user", "amount", "reason")
    list_display = ("id", "tournament", "user", "amount_text", "paid")
    list_filter = ("paid",)
    list_select_related = ("tournament", "user")
    search_fields = ("user__name", "=tournament__id")
    ordering = ("-id",)
    actions = ("take_off",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may run tournaments."""
        return request.user.has_perm(RUN)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user sees the bounties; whoever puts them takes them off there."""
        return self.has_add_permission(request) or super().has_view_permission(request, obj)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of the form, or of an existing row."""
        return self.fields if obj is None else ("tournament", "user", "amount_text", "paid")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Make all fields of an existing row read-only."""
        return () if obj is None else ("tournament", "user", "amount_text", "paid")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Put the bounty with its audit row."""
        given = form.cleaned_data
        bounty = room_bounties.put(
            given["tournament"].pk,
            given["user"],
            given["amount"],
            actor=operator(request),
            reason=given["reason"],
        )
        obj.pk = bounty.pk

    @admin.action(description=_("Take off"), permissions=["add"])
    def take_off(self, request: HttpRequest, queryset: QuerySet[RoomBounty]) -> None:
        """Take the bounties off these players."""
        for row in queryset.select_related("user"):
            try:
                room_bounties.take_off(row.tournament_id, row.user, actor=operator(request))
            except Refusal as refusal:
                messages.error(request, f"{row.user.name}: {words_of(refusal)}")
            else:
                words = gettext("The bounty is taken off.")
                messages.success(request, f"{row.user.name}: {words}")

    @admin.display(description=_("amount"), ordering="amount")
    def amount_text(self, row: RoomBounty) -> str:
        """Return the amount in major units."""
        return money.text(row.amount)
