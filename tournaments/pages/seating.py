"""The cockpit's page for seating a player: an entry bought by an organiser, with reason."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import money
from accounts.admin.once import TokenField
from accounts.logins.lockout import source_of_request
from accounts.models import User
from accounts.names import fold
from accounts.pages.confirm import confirmed
from accounts.refusals import words_of
from accounts.templatetags import amounts
from config import limits
from config.refusals import Refusal
from tournaments.admin.ruling_forms import ReasonForm
from tournaments.entries import entering, registration
from tournaments.models import Entry, Tournament
from tournaments.models.options.prizes import Methods
from tournaments.models.tournament import State
from tournaments.pages.organisers import RULE, organiser
from tournaments.prizes import tickets
from tournaments.queries import players

SEAT = gettext_lazy("Seat a player")
CONSEQUENCE = gettext_lazy(
    "The player pays the price and is in. Seats are drawn at the start; once it is played, the lot "
    "gives one of the shortest tables, with a full stack from its next hand on."
)
MONEY, TICKET = "money", "ticket"
_WAYS = {MONEY: gettext_lazy("money"), TICKET: gettext_lazy("the ticket that expires first")}
_ABOUT_PLAYER = {
    "already_registered": gettext_lazy("%(name)s is registered for this tournament already."),
    "no_more_entries": gettext_lazy("%(name)s has used all entries to this tournament."),
    "disqualified": gettext_lazy("%(name)s was disqualified from this tournament."),
    "no_table_for_entry": gettext_lazy("There is no free seat at a table where %(name)s is not."),
    "no_fitting_ticket": gettext_lazy("%(name)s has no ticket that pays for this tournament."),
}
"""Refusals addressed to the player, reworded for an organiser."""

_FIELDS = {
    **dict.fromkeys((*_ABOUT_PLAYER, "seats_members_alone"), "player"),
    **dict.fromkeys(("wrong_password", "too_many_tries"), "password"),
    "no_fitting_ticket": "pay",
    "insufficient_funds": "pay",
}


class SeatForm(ReasonForm):
    """Player, way of paying and reason; a private tournament asks for its password (T-02)."""

    player = forms.CharField(
        label=gettext_lazy("Player"),
        max_length=limits.NAME_MAX_CHARACTERS,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    pay = forms.ChoiceField(label=gettext_lazy("Pay with"))
    password = forms.CharField(
        label=gettext_lazy("Password of this tournament"),
        max_length=limits.PASSWORD_MAX_CHARACTERS,
        required=False,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    token = TokenField()
    field_order = ("player", "pay", "password", "reason")

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "label_suffix": ""})
        ways = _ways(tournament)
        pay = self.fields["pay"]
        assert isinstance(pay, forms.ChoiceField)
        pay.choices = [(way, _WAYS[way]) for way in ways]
        if not tournament.price:
            self.fields["pay"].widget = forms.HiddenInput()
            self.fields["pay"].initial = MONEY
        if not tournament.password:
            del self.fields["password"]

    def clean_player(self) -> User:
        """Return the active user of that name."""
        name = self.cleaned_data["player"]
        user = User.objects.filter(name_key=fold(name), is_active=True).first()
        if user is None:
            words = _("There is no player %(name)s.") % {"name": name}
            raise forms.ValidationError(words, code="no_such_user")
        return user

    def refuse(self, refusal: Refusal) -> None:
        """Show a refusal beside its field, in words about the player."""
        field = _FIELDS.get(refusal.code)
        about = _ABOUT_PLAYER.get(refusal.code)
        words = words_of(refusal)
        if about is not None:
            words = str(about) % {"name": self.cleaned_data["player"].name}
        beside = field if field in self.fields else None
        self.add_error(beside, forms.ValidationError(words, code=refusal.code))


@organiser(RULE)
@confirmed()
@never_cache
@require_http_methods(["GET", "POST"])
def seat(request: HttpRequest, pk: int) -> HttpResponse:
    """Show price and seat (GET), then buy the entry for the player (POST, E-01)."""
    tournament = get_object_or_404(Tournament, pk=pk)
    first = {"player": request.GET.get("player", "")}
    form = SeatForm(tournament, request.POST or None, initial=first)
    if request.method == "POST" and form.is_valid():
        try:
            entry = _buy(request, tournament, form.cleaned_data)
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, f"{tournament.name}: {_where(entry)}")
            return redirect("cockpit", pk)
    context = {
        "page": "organise",
        "title": SEAT,
        "consequence": CONSEQUENCE,
        "tournament": tournament,
        "form": form,
        "effect": _effect(tournament),
    }
    return render(request, "tournaments/organise/ask.html", context)


def _buy(request: HttpRequest, tournament: Tournament, given: dict[str, Any]) -> Entry:
    return registration.register_for(
        given["player"],
        tournament,
        given.get("password"),
        ticket=tickets.ANY if given["pay"] == TICKET else "",
        address=source_of_request(request),
        # The decorator of organisers admits no anonymous user.
        actor=request.user,  # type: ignore[arg-type]
        reason=given["reason"],
        token=given["token"],
    )


def _ways(tournament: Tournament) -> list[str]:
    """Return the ways to pay the entry; a free one takes no ticket (K-02)."""
    if tournament.methods == Methods.MONEY or not tournament.price:
        return [MONEY]
    return [TICKET] if tournament.methods == Methods.TICKET else [MONEY, TICKET]


def _effect(tournament: Tournament) -> list[tuple[str, object]]:
    """Return the price, the stack and the seat of the entry, in words and values."""
    rows: list[tuple[str, object]] = [
        (_("Price"), money.text(tournament.price)),
        (_("Starting stack"), amounts.chips(tournament.starting_stack)),
        (_("Entries"), f"{tournament.entrants} → {tournament.entrants + 1}"),
    ]
    if not entering.takes_entries(tournament):
        rows.append((_("Now"), _("Not possible in this state")))
    elif tournament.state == State.REGISTERING:
        rows.append((_("Seat"), _("drawn at the start")))
    else:
        rows.append((_("Seat"), _("drawn at once, at one of the shortest tables")))
    return rows


def _where(entry: Entry) -> str:
    """Name the player and the drawn seat, if any."""
    rows = players.own(entry.tournament, entry.user)
    row = next((seat for seat in rows if seat.entry == entry.pk), None)
    if row is None or row.table_number is None:
        return _("%(name)s is registered") % {"name": entry.name}
    values = {"name": entry.name, "number": row.table_number, "seat": row.seat}
    return _("%(name)s, table %(number)s, seat %(seat)s") % values
