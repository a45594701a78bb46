"""Mails to the primary address of an account about changes of its security."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language, gettext, override

from accounts.mail import outgoing
from accounts.models import User


def tell_password_changed(user: User) -> None:
    """Mail a notice of a changed password."""
    with override(user.language or get_language()):
        body = gettext("The password of %(name)s was changed. Was it not you? Ask an operator.")
        _queue(user, gettext("Your password was changed"), body % {"name": user.name})


def tell_factors_removed(user: User) -> None:
    """Mail a notice of a second factor and passkeys that an administrator removed."""
    with override(user.language or get_language()):
        lead = gettext("An administrator removed the second factor and the passkeys of %(name)s.")
        rest = gettext("Did you not ask for it? Change your password, and tell an operator.")
        body = f"{lead % {'name': user.name}}\n{rest}\n{settings.PUBLIC_URL}/account/"
        _queue(user, gettext("Your second factor was removed"), body)


def tell_login_linked(user: User, provider: str) -> None:
    """Mail a notice of a linked log-in."""
    with override(user.language or get_language()):
        words = {"name": user.name, "provider": provider}
        lead = gettext("%(name)s can now log in with %(provider)s.") % words
        rest = gettext("Was it not you? Unlink it under Account and change your password.")
        body = f"{lead}\n{rest}\n{settings.PUBLIC_URL}/account/"
        _queue(user, gettext("A log-in was linked"), body)


def tell_passkey_added(user: User) -> None:
    """Mail a notice of a new passkey."""
    with override(user.language or get_language()):
        lead = gettext("%(name)s can now log in with a new passkey.") % {"name": user.name}
        rest = gettext("Was it not you? Remove it under Account and change your password.")
        body = f"{lead}\n{rest}\n{settings.PUBLIC_URL}/account/"
        _queue(user, gettext("A passkey was added"), body)


def tell_added(user: User, address: str) -> None:
    """Mail a notice of an address that waits for its confirmation."""
    with override(user.language or get_language()):
        words = {"name": user.name, "address": address}
        lead = gettext("%(address)s was added to %(name)s and waits for its confirmation.") % words
        _queue(user, gettext("An e-mail address was added"), f"{lead}\n{_not_you()}")


def tell_primary(user: User, address: str) -> None:
    """Mail to the primary address that another one takes its place."""
    with override(user.language or get_language()):
        words = {"name": user.name, "address": address}
        lead = gettext("The primary e-mail address of %(name)s is now %(address)s.") % words
        _queue(user, gettext("Your primary e-mail address was changed"), f"{lead}\n{_not_you()}")


def tell_removed(user: User, address: str) -> None:
    """Mail a notice of an address that is removed, the primary one too."""
    with override(user.language or get_language()):
        words = {"name": user.name, "address": address}
        lead = gettext("%(address)s was removed from %(name)s.") % words
        _queue(user, gettext("An e-mail address was removed"), f"{lead}\n{_not_you()}")


def _queue(user: User, subject: str, body: str) -> None:
    if primary := outgoing.primary_address(user.pk):
        outgoing.queue(primary, subject, body)


def _not_you() -> str:
    rest = gettext("Was it not you? Change your password, then look at your addresses:")
    return f"{rest}\n{settings.PUBLIC_URL}{reverse('emails')}"
