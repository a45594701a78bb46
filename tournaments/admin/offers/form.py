"""The form of a new tournament: a structure, and every option outside the structure."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.db import IntegrityError
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.admin.once import TokenField
from accounts.models import User
from accounts.refusals import words_of
from config.refusals import Refusal
from config.time_zones import zone_names
from tables.engine.variants import VARIANTS
from tournaments.admin.offers.fields import ASKED, TournamentSpecFields
from tournaments.admin.offers.passwords import PasswordFields
from tournaments.engine import blind_plan
from tournaments.engine.structure import for_stud
from tournaments.models import Structure, Template, Tournament
from tournaments.models.structure import encoded
from tournaments.schedule import making

PLAN_PLAYERS, PLAN_STACK = 18, 5_000
"""Field and stack for planned levels when the form has neither."""


class TournamentSpecForm(TournamentSpecFields, PasswordFields, forms.ModelForm[Tournament]):
    """All options of a tournament; an unplayable combination is refused with its own message."""

    structure_row = forms.ModelChoiceField(
        Structure.objects.all(),
        label=gettext_lazy("Structure"),
        required=False,
        empty_label=gettext_lazy("made for the hours below"),
    )
    hours = forms.DecimalField(
        label=gettext_lazy("Hours it shall take"),
        required=False,
        min_value=Decimal("0.25"),
        max_value=Decimal(blind_plan.PLAN_MINUTES_MAX // 60),
        decimal_places=2,
        help_text=gettext_lazy("Makes fitting levels when no structure is chosen."),
    )
    starts_at = forms.DateTimeField(
        label=gettext_lazy("Starts at"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=gettext_lazy("In the time zone of your browser."),
    )
    start_zone = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=300)
    token = TokenField()

    class Meta:
        model = Tournament
        fields = ASKED

    class Media:
        js = (forms.Script("js/admin/offer_form.js", type="module"),)
        css = {"all": ("css/offer_form.css",)}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.open_options()
        self.say_what_is_kept()
        self.show_in_units()
        self.fields["hours"].widget.attrs["data-needs"] = '{"structure_row": [""]}'
        self.fields["planned"].widget.address = reverse("admin:tournaments_offer_prizes")

    def full_clean(self) -> None:
        """Read times in the operator's own time zone."""
        name = self.data.get(self.add_prefix("start_zone"), "") if self.is_bound else ""
        known = name if name in zone_names() else timezone.get_current_timezone_name()
        with timezone.override(ZoneInfo(known)):
            super().full_clean()

    def clean_start_zone(self) -> str:
        """Refuse an unknown time zone."""
        name: str = self.cleaned_data["start_zone"]
        if name and name not in zone_names():
            raise forms.ValidationError(_("There is no such time zone."), code="invalid")
        return name

    def clean(self) -> dict[str, Any]:
        """Refuse what the check of new tournaments refuses."""
        given = super().clean()
        if not self.errors:
            self._choose_structure(given)
        if self.errors:
            return given
        if earlier := Tournament.objects.filter(occasion=self.occasion).first():
            sentence = _("This form was sent already: it made tournament %(number)s.")
            raise forms.ValidationError(sentence % {"number": earlier.pk}, code="sent_already")
        given["starting_stack"] = self._stack(given["structure_row"].starting_stack)
        try:
            making.validate_tournament(self.draft())
        except Refusal as refusal:
            self.refuse(refusal)
        return given

    @property
    def occasion(self) -> str:
        """Return the key that lets this form make one tournament only."""
        return f"form:{self.cleaned_data['token']}"

    def draft(self) -> Tournament:
        """Return the form's tournament, unsaved."""
        return making.from_structure(self.cleaned_data["structure_row"], **self.offer())

    def offer(self) -> dict[str, Any]:
        """Return the fields of Tournament; the default stack is the structure's."""
        given = {name: self.cleaned_data[name] for name in ("starting_stack", "start_zone")}
        return super().offer() | given

    def create(self, actor: User, template: Template | None = None) -> Tournament:
        """Make the announced tournament of a valid form, with its audit row and its wake.

        A form sent twice at the same time makes one: the second is the tournament of the first.
        """
        try:
            return making.create_from_structure(
                self.cleaned_data["structure_row"],
                password_hash=self.password_hash(),
                actor=actor,
                reason=self.cleaned_data["reason"],
                template=template,
                occasion=self.occasion,
                **self.offer(),
            )
        except IntegrityError:
            earlier = Tournament.objects.filter(occasion=self.occasion).first()
            if earlier is None:
                raise
            return earlier

    def _choose_structure(self, given: dict[str, Any]) -> None:
        """Plan the levels if hours are given instead of a structure (L-01)."""
        if given.get("structure_row") is not None:
            return
        hours = given.get("hours")
        if hours is None:
            needed = _("Choose a structure, or say how many hours it shall take.")
            self.add_error("structure_row", forms.ValidationError(needed, code="required"))
            return
        stack = self._stack(PLAN_STACK)
        players = given.get("planned") or min(given.get("players_max") or 2, PLAN_PLAYERS)
        try:
            levels = blind_plan.plan(players, stack, int(hours * 60), ante_kind="big_blind")
        except Refusal as refusal:
            field = "hours" if refusal.code == "plan_length" else "starting_stack"
            self.add_error(field, forms.ValidationError(words_of(refusal), code=refusal.code))
            return
        game = VARIANTS.get(given["variant"])
        if game is not None and game.brings_in:
            levels = for_stud(levels)
        words = ngettext("%(hours)s hour", "%(hours)s hours", 1 if hours == 1 else 2)
        name = words % {"hours": f"{hours.normalize():f}"}
        given["structure_row"] = Structure(name=name, items=encoded(levels), starting_stack=stack)

    def _stack(self, otherwise: int) -> int:
        """Return the typed stack; `otherwise` when the field is empty."""
        given = self.cleaned_data.get("starting_stack")
        return otherwise if given is None else int(given)

    def _post_clean(self) -> None:
        """Leave the row to `create`, without validation by the form."""
