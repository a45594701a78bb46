"""The password of a tournament or template in its form: given, kept or dropped (T-02)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.hashers import make_password
from django.utils.translation import gettext_lazy as _

from config import limits


class PasswordFields(forms.Form):
    """A form that keeps the password of its private source by default."""

    kept_hash = ""
    """The password hash of the form's source; empty when the source is public."""

    secret = forms.CharField(
        label=_("Password"),
        required=False,
        max_length=limits.PASSWORD_MAX_CHARACTERS,
        # Keeps a browser from filling in the operator's own remembered password.
        widget=forms.PasswordInput(render_value=True, attrs={"autocomplete": "new-password"}),
        help_text=_("Only who knows it may register (T-02). Empty: open to all."),
    )
    open_to_all = forms.BooleanField(
        label=_("Open to all"), required=False, help_text=_("Drops the password.")
    )

    def say_what_is_kept(self) -> None:
        """Say that the source is private, and that an empty field keeps its password."""
        if self.kept_hash:
            self.fields["secret"].help_text = _("Private. Empty: the password stays as it is.")

    def clean(self) -> dict[str, Any]:
        """Refuse to give and drop a password at once."""
        given = super().clean() or self.cleaned_data
        if given.get("secret") and given.get("open_to_all"):
            both = _("Give a new password, or drop it: not both.")
            self.add_error("open_to_all", forms.ValidationError(both, code="both"))
        return given

    def password_hash(self) -> str:
        """Return the hash to store, never the plain text; empty when public."""
        if given := self.cleaned_data["secret"]:
            return make_password(given)
        return "" if self.cleaned_data["open_to_all"] else self.kept_hash


def asked(kept_hash: str) -> tuple[str, ...]:
    """Return the fields to show: a public source has no password to drop."""
    return ("secret", "open_to_all") if kept_hash else ("secret",)
