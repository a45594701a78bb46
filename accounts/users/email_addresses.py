"""E-mail addresses: confirmed by a link, and used for a forgotten password and notices.

No answer of these functions tells whether a name or an address is known: only the mail does.
"""

from __future__ import annotations

import math

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import get_language, gettext, override

from accounts.models import EmailAddress, User
from accounts.names import fold
from accounts.users import mail
from config import limits
from config.door.rates import Rate
from config.door.source import UNKNOWN
from config.refusals import Refusal
from config.refusals import marked as _

_SALT = "email-address"

BY_USER = Rate("mail-user", limits.FORGOTTEN_TRIES_USER, limits.FORGOTTEN_TRIES_USER_PER_MIN)
BY_SOURCE = Rate(
    "mail-address", limits.FORGOTTEN_TRIES_ADDRESS, limits.FORGOTTEN_TRIES_ADDRESS_PER_MIN
)


class TooMuchMail(Refusal):
    """Refusal of a mail asked for above the rate limit; `wait_min` until the next one."""

    code = "too_much_mail"
    sentence = _("Too many mails were asked for. Try again in %(wait_min)s minutes.")

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_min=math.ceil(wait_s / 60))


class LinkOver(Refusal):
    """Refusal of a link that is wrong, used, older than a day, or replaced by another."""

    code = "link_over"
    sentence = _("This link is over: it works once and for a day.")


class NoMail(Refusal):
    """Refusal of mail in a room that sends none."""

    code = "no_mail"
    sentence = _("This room sends no mail. Ask an operator.")


def enter(user: User, address: str, source: str) -> None:
    """Store a user's new address and mail its confirmation; the confirmed one stays until then.

    Raises NoMail or TooMuchMail before any change.
    """
    _take_tries(f"user:{user.pk}", source)
    address = User.objects.normalize_email(address)
    row, _made = EmailAddress.objects.get_or_create(user=user)
    row.pending = address
    row.save(update_fields=["pending"])
    if EmailAddress.objects.filter(address__iexact=address).exclude(user=user).exists():
        body = gettext("Your address already belongs to another account here. Nothing has changed.")
    else:
        key = signing.dumps([user.pk, address], salt=_SALT)
        lead = gettext("Confirm the address for %(name)s:") % {"name": user.name}
        body = f"{lead}\n{_link('email_confirm', key)}\n\n{_not_you()}"
    mail.queue(address, gettext("Confirm your e-mail address"), body)


def confirm(key: str) -> User:
    """Make the address of a link its user's confirmed one; raise LinkOver otherwise."""
    try:
        pk, address = signing.loads(key, salt=_SALT, max_age=limits.CONFIRMATION_LINK_S)
    except (signing.BadSignature, ValueError, TypeError):
        raise LinkOver from None
    try:
        with transaction.atomic():
            row = EmailAddress.objects.select_for_update().filter(user=pk, pending=address).first()
            if row is None:
                raise LinkOver
            row.address, row.pending, row.confirmed_at = address, "", timezone.now()
            row.save()
            User.objects.filter(pk=pk).update(email=address)
    except IntegrityError:  # somebody else confirmed it meanwhile
        raise LinkOver from None
    return row.user


def remove(user: User) -> None:
    """Delete a user's address, confirmed or not."""
    with transaction.atomic():
        EmailAddress.objects.filter(user=user).delete()
        User.objects.filter(pk=user.pk).update(email="")


def send_reset(name_or_address: str, source: str) -> None:
    """Mail a link for a new password to the confirmed address of a name or an address.

    Known or not, the work and the answer are the same. Raises NoMail or TooMuchMail.
    """
    asked = name_or_address.strip()[: limits.TEXT_ASKED_MAX]
    _take_tries(f"asked:{fold(asked)}", source)
    rows = EmailAddress.objects.select_related("user").filter(user__is_active=True)
    rows = rows.exclude(address="")
    by_address = "@" in asked
    found = (
        rows.filter(address__iexact=asked)
        if by_address
        else rows.filter(user__name_key=fold(asked))
    )
    row = found.first()
    user = row.user if row else User(pk=0, name=asked[: limits.NAME_MAX_CHARACTERS])
    with transaction.atomic(), override(user.language or get_language()):
        uid = urlsafe_base64_encode(force_bytes(user.pk))
        link = _link("new_password", uid, default_token_generator.make_token(user))
        lead = gettext("Set a new password for %(name)s:") % {"name": user.name}
        body = f"{lead}\n{link}\n\n{_not_you()}"
        mail.queue(row.address if row else "nobody@localhost", gettext("Your new password"), body)
        if row is None:
            transaction.set_rollback(True)


def tell_password_changed(user: User) -> None:
    """Mail a notice of a changed password to the confirmed address, if there is one."""
    row = EmailAddress.objects.filter(user=user).exclude(address="").first()
    if row is not None:
        with override(user.language or get_language()):
            body = gettext("The password of %(name)s was changed. Was it not you? Ask an operator.")
            mail.queue(
                row.address, gettext("Your password was changed"), body % {"name": user.name}
            )


def belongs_to_somebody(address: str) -> bool:
    """Return whether an address is the confirmed one of some account."""
    return EmailAddress.objects.filter(address__iexact=address).exists()


def take_over(user: User, address: str) -> None:
    """Store an address that another party confirmed as that of a user without one.

    Raises IntegrityError, which ends the caller's transaction, when it belongs to somebody.
    """
    address = User.objects.normalize_email(address)
    EmailAddress.objects.create(user=user, address=address, confirmed_at=timezone.now())
    User.objects.filter(pk=user.pk).update(email=address)


def tell_login_linked(user: User, provider: str) -> None:
    """Mail a notice of a linked log-in to the confirmed address, if there is one."""
    row = EmailAddress.objects.filter(user=user).exclude(address="").first()
    if row is not None:
        with override(user.language or get_language()):
            words = {"name": user.name, "provider": provider}
            lead = gettext("%(name)s can now log in with %(provider)s.") % words
            rest = gettext("Was it not you? Unlink it under Account and change your password.")
            body = f"{lead}\n{rest}\n{settings.PUBLIC_URL}/account/"
            mail.queue(row.address, gettext("A log-in was linked"), body)


def _take_tries(subject: str, source: str) -> None:
    if not mail.is_on():
        raise NoMail
    waits = [BY_USER.take(subject)]
    if source and source != UNKNOWN:
        waits.append(BY_SOURCE.take(source))
    if wait_s := max(waits):
        raise TooMuchMail(wait_s)


def _link(name: str, *arguments: str) -> str:
    return settings.PUBLIC_URL + reverse(name, args=arguments)


def _not_you() -> str:
    return gettext("Was it not you? Then forget this mail: nothing has changed.")
