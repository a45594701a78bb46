"""Forms that ask an organiser for the reason of a step or a ruling, and for what it needs."""

from __future__ import annotations

from functools import partial

from django import forms
from django.utils.translation import gettext, gettext_lazy

from accounts.admin.once import TokenField
from config import limits
from config.inputs.readable import is_readable, normal_text


def _readable(text: str) -> None:
    """Refuse a text with control, direction or invisible signs, which others read."""
    if not is_readable(normal_text(text)):
        words = gettext("This text has signs that cannot be shown.")
        raise forms.ValidationError(words, code="unreadable")


_reason = partial(
    forms.CharField,
    label=gettext_lazy("Reason"),
    max_length=300,
    validators=[_readable],
    widget=forms.TextInput(attrs={"size": 60}),
)


class ReasonForm(forms.Form):
    """The reason of a ruling: every ruling needs one."""

    reason = _reason(help_text=gettext_lazy("It is kept beside your name."))


class ReadReasonForm(ReasonForm):
    """The reason of a ruling that is told to the player it is about."""

    reason = _reason(
        help_text=gettext_lazy("It is kept beside your name, and the player reads it.")
    )


class StepReasonForm(ReasonForm):
    """The reason of a step of the whole tournament."""

    reason = _reason(
        help_text=gettext_lazy(
            "It is kept beside your name; players read it when you pause or cancel."
        )
    )


class MoveForm(ReasonForm):
    """The target table of a move."""

    to_table = forms.TypedChoiceField(label=gettext_lazy("To table"), coerce=int)


class MessageForm(ReasonForm):
    """The text of a message to all."""

    text = forms.CharField(
        label=gettext_lazy("Message"),
        max_length=limits.MESSAGE_MAX_CHARACTERS,
        validators=[_readable],
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    token = TokenField()


class FeatureForm(ReasonForm):
    """The table to feature for spectators."""

    table = forms.TypedChoiceField(
        label=gettext_lazy("Featured table"), coerce=int, empty_value=None, required=False
    )
    field_order = ("table", "reason")
