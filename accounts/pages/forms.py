"""Forms to sign up and to log in; the rules are in `accounts.users.signup`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.core.validators import EmailValidator, validate_email
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.mail import outgoing
from accounts.models import User
from accounts.names import normal
from accounts.pages.confirm import is_own_password
from accounts.refusals import SignUpRefused, words_of
from accounts.users.second_factor import is_on
from accounts.users.signup import check_name, check_password, check_room, sign_up
from config import limits

_OPTIONAL = _("May be empty. For a forgotten password and notices; no other player sees it.")
_NEEDED = _("You confirm it by a link before you play; no other player sees it.")


def validate_reachable(address: str) -> None:
    """Refuse what is no address, or none that mail servers can be given: only its host may have
    other letters.
    """
    validate_email(address)
    box, _at, host = address.rpartition("@")
    try:
        host.encode("idna")
    except UnicodeError:
        box = ""
    if not (box.isascii() and box.isprintable() and box):
        raise forms.ValidationError(EmailValidator.message, code="invalid")


class AddressField(forms.EmailField):
    """E-mail address to which the room can write."""

    default_validators = [validate_reachable]


class SignUpForm(forms.Form):
    """Name, password and address of a new player; `save` returns the player or adds field errors.

    Rooms without mail ask for no address; the caller stores it.
    """

    name = forms.CharField(
        label=_("Name"),
        max_length=limits.NAME_MAX_CHARACTERS,
        help_text=_("Letters and digits; the others at the table see it."),
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "autocapitalize": "none", "autofocus": True}
        ),
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=_("At least ten characters, not a common one, not your name."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    address = AddressField(
        label=_("E-mail address"),
        max_length=limits.TEXT_ASKED_MAX,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        address = self.fields["address"]
        address.required = settings.EMAIL_REQUIRED
        address.help_text = _NEEDED if settings.EMAIL_REQUIRED else _OPTIONAL
        if not outgoing.is_on():
            del self.fields["address"]

    def clean(self) -> dict[str, Any]:
        """Refuse a name and a password at once, each beside its field.

        One that is missing or too long for its field is refused there already.
        """
        given = super().clean() or self.cleaned_data
        name, password = normal(given.get("name", "")), given.get("password")
        if not self._try(check_room):
            return given
        if name:
            self._try(lambda: check_name(name))
        if password is not None:
            self._try(lambda: check_password(password, name=name))
        return given

    def _try(self, check: Callable[[], None]) -> bool:
        try:
            check()
        except SignUpRefused as refusal:
            self._refuse(refusal)
            return False
        return True

    def _refuse(self, refusal: SignUpRefused) -> None:
        field = refusal.field if refusal.field in self.fields else None
        self.add_error(field, forms.ValidationError(words_of(refusal), code=refusal.code))

    def save(self, source: str | None = None) -> User | None:
        """Return the new player, or None with the refusal beside its field."""
        try:
            name, password = self.cleaned_data["name"], self.cleaned_data["password"]
            return sign_up(name, password, source=source)
        except SignUpRefused as refusal:
            self._refuse(refusal)
            return None


class LoginForm(AuthenticationForm):
    """Log-in form of Django with this project's label for the name."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _("Wrong name or password."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Name")
        self.fields["password"].label = _("Password")


class AdminLoginForm(AdminAuthenticationForm):
    """Log-in form of the admin, which refuses accounts that owe a code of a second factor."""

    def confirm_login_allowed(self, user: User) -> None:
        """Refuse an account with a second factor: the room's own page asks for its code."""
        super().confirm_login_allowed(user)
        if is_on(user):
            raise forms.ValidationError(
                _("This account has a second factor: log in on the page of the room."),
                code="second_factor",
            )


if TYPE_CHECKING:
    UserPasswordForm = SetPasswordForm[User]
else:
    UserPasswordForm = SetPasswordForm  # takes no parameter at run time


class PasswordRules:
    """Mixin that applies the sign-up rules to a new password."""

    def clean_new_password1(self: Any) -> str:
        """Refuse what `accounts.users.signup` refuses, beside its field."""
        password: str = self.cleaned_data["new_password1"]
        try:
            check_password(password, name=self.user.name)
        except SignUpRefused as refusal:
            raise forms.ValidationError(words_of(refusal), code=refusal.code) from refusal
        return password


class OwnPasswordForm(PasswordRules, PasswordChangeForm):
    """Password change by its owner, under the sign-up rules.

    It stands below the links of its page: only a refused change draws the page to it. Wrong old
    passwords count as log-ins and lock the account out like those.
    """

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._request = request
        if not self.is_bound:
            self.fields["old_password"].widget.attrs.pop("autofocus")

    def clean_old_password(self) -> str:
        """Refuse a password that is not the present one."""
        given: str = self.cleaned_data["old_password"]
        if not is_own_password(self._request, given):
            code = "password_incorrect"
            raise forms.ValidationError(self.error_messages[code], code=code)
        return given


class NewPasswordForm(PasswordRules, UserPasswordForm):
    """Password that a player sets by a link from staff."""


class ForgottenForm(forms.Form):
    """Name or e-mail address of an account whose password is forgotten."""

    account = forms.CharField(
        label=_("Name or e-mail address"),
        max_length=limits.TEXT_ASKED_MAX,
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "autocapitalize": "none", "autofocus": True}
        ),
    )


class EmailForm(forms.Form):
    """E-mail address of an account."""

    address = AddressField(
        label=_("E-mail address"),
        max_length=limits.TEXT_ASKED_MAX,
        help_text=_("For a forgotten password and notices; no other player sees it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
