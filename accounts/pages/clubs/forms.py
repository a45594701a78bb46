"""Forms of clubs; the rules are in `accounts.clubs`."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.admin.once import TokenField
from accounts.clubs.profiles import ClubProfile
from accounts.models import Club
from config import limits

_COLOUR = {"type": "color"}


class ClubForm(forms.Form):
    """Name, description and colours of a club."""

    name = forms.CharField(
        label=_("Name"),
        max_length=limits.CLUB_NAME_MAX_CHARACTERS,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=limits.CLUB_TEXT_MAX_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Everybody reads it, members or not."),
    )
    colour = forms.CharField(label=_("First colour"), widget=forms.TextInput(attrs=_COLOUR))
    second_colour = forms.CharField(label=_("Second colour"), widget=forms.TextInput(attrs=_COLOUR))
    takes_requests = forms.BooleanField(
        label=_("Players may ask to join"),
        required=False,
        help_text=_("Otherwise the club is joined by invitation only."),
    )

    @staticmethod
    def beginning(club: Club | None = None) -> dict[str, object]:
        """Return the first values of the form: the club's, or the defaults."""
        known = club or ClubProfile("")
        return {name: getattr(known, name) for name in ClubForm.base_fields}

    def profile(self) -> ClubProfile:
        """Return the typed profile of a valid form."""
        return ClubProfile(**self.cleaned_data)


class InvitationForm(forms.Form):
    """Uses and days of a new invitation link."""

    uses = forms.IntegerField(
        label=_("Uses"), initial=10, widget=forms.NumberInput(attrs={"min": 1})
    )
    days = forms.IntegerField(
        label=_("Valid for days"), initial=7, widget=forms.NumberInput(attrs={"min": 1})
    )


class AnnouncementForm(forms.Form):
    """The text of an announcement to the members."""

    text = forms.CharField(
        label=_("Announcement"),
        max_length=limits.CLUB_TEXT_MAX_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    token = TokenField()


class RequestForm(forms.Form):
    """A player's words to the managers of a club."""

    text = forms.CharField(
        label=_("Words to the managers"),
        required=False,
        max_length=limits.CLUB_REQUEST_MAX_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("For example your name outside the room."),
    )
