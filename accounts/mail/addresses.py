"""E-mail addresses of a user: added, confirmed by a link, made the primary, removed.

No answer of these functions tells whether a name or an address is known: only the mail does.
"""

from __future__ import annotations

from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.mail import notices, outgoing, rates
from accounts.models import EmailAddress, User
from accounts.refusals import AccountDeleted
from config import limits
from config.refusals import Refusal
from config.refusals import marked as _

_SALT = "email-address"


class LinkOver(Refusal):
    """Refusal of a link that is wrong, used, older than a day, or of a removed address."""

    code = "link_over"
    sentence = _("This link is over: it works once and for a day.")


class LinkOfAnother(Refusal):
    """Refusal of a link for another account than the one that is logged in."""

    code = "link_of_another"
    sentence = _("This link is for another account: log out, or log in to that account.")


class AddressListed(Refusal):
    """Address that the user has already, confirmed or not, in whichever case."""

    code = "address_listed"
    sentence = _("This address is already one of yours.")


class TooManyAddresses(Refusal):
    """One address more than a user may have."""

    code = "too_many_addresses"
    sentence = _("You have %(most)s e-mail addresses, and no more are possible: remove one first.")

    def __init__(self) -> None:
        super().__init__(most=limits.EMAIL_ADDRESSES_MAX)


class AddressWaits(Refusal):
    """Address that cannot become the primary before it is confirmed."""

    code = "address_waits"
    sentence = _("Only a confirmed address can be the primary: open the link in its mail first.")


class AddressConfirmed(Refusal):
    """Link of an address that needs none: asked for, or opened again."""

    code = "address_confirmed"
    sentence = _("This address is confirmed already.")


class PrimaryStays(Refusal):
    """Removal of the primary address while the user has others."""

    code = "primary_stays"
    sentence = _(
        "This is your primary address: make another one the primary first, or remove the others."
    )


def addresses_of(user: User) -> list[EmailAddress]:
    """Return a user's addresses: the primary, then the confirmed, then the waiting ones."""
    rows = EmailAddress.objects.filter(user=user)
    return list(rows.order_by("-is_primary", F("confirmed_at").asc(nulls_last=True), "pk"))


def add(user: User, address: str, source: str) -> EmailAddress:
    """Store another address of a user, mail its link to it and a notice to the primary one.

    Raises TooManyAddresses, AddressListed, NoMail or TooMuchMail before any change.
    """
    address = User.objects.normalize_email(address)
    _check_new(addresses_of(user), address)
    rates.take_tries(f"user:{user.pk}", source, address)
    with transaction.atomic():
        # The lock keeps two forms sent at once below the limit.
        _check_new(_locked_addresses(user.pk), address)
        row = EmailAddress.objects.create(user=user, address=address)
        _mail_link(user, row)
        notices.tell_added(user, address)
    return row


def send_again(user: User, pk: int, source: str) -> EmailAddress | None:
    """Mail the link of a user's waiting address anew; return None for the address of another.

    Raises AddressConfirmed, NoMail or TooMuchMail.
    """
    row = EmailAddress.objects.filter(user=user, pk=pk).first()
    if row is None:
        return None
    if row.confirmed_at is not None:
        raise AddressConfirmed
    rates.take_tries(f"user:{user.pk}", source, row.address)
    _mail_link(user, row)
    return row


def confirm(key: str, visitor: int | None = None) -> EmailAddress:
    """Confirm the address of a link; the first one of its user becomes the primary.

    `visitor` is the key of the user who is logged in. Raises LinkOver, LinkOfAnother, or
    AddressConfirmed for a link that was opened before.
    """
    try:
        pk, address = signing.loads(key, salt=_SALT, max_age=limits.CONFIRMATION_LINK_S)
    except (signing.BadSignature, ValueError, TypeError):
        raise LinkOver from None
    if visitor not in (None, pk):
        raise LinkOfAnother
    try:
        with transaction.atomic():
            rows = _locked_addresses(pk)
            row = next((one for one in rows if one.address == address), None)
            if row is None:
                raise LinkOver
            if row.confirmed_at is not None:
                raise AddressConfirmed
            row.confirmed_at = timezone.now()
            row.is_primary = not any(one.is_primary for one in rows)
            row.save(update_fields=["confirmed_at", "is_primary"])
            if row.is_primary:
                User.objects.filter(pk=pk).update(email=row.address)
    except (IntegrityError, AccountDeleted):  # meanwhile it is somebody else's, or nobody's
        raise LinkOver from None
    return row


def make_primary(user: User, pk: int) -> EmailAddress | None:
    """Let notices go to another confirmed address; the former primary one is told of it.

    Returns None for the address of another user. Raises AddressWaits or TooMuchMail.
    """
    row = EmailAddress.objects.filter(user=user, pk=pk).first()
    if row is None or row.is_primary:
        return row
    if row.confirmed_at is None:
        raise AddressWaits
    if outgoing.is_on() and (wait_s := rates.BY_USER.take(f"primary:{user.pk}")):
        raise rates.TooMuchMail(wait_s)
    with transaction.atomic():
        rows = _locked_addresses(user.pk)
        row = next((one for one in rows if one.pk == pk), None)  # it may be gone meanwhile
        if row is None or row.is_primary:
            return row
        notices.tell_primary(user, row.address)
        EmailAddress.objects.filter(user=user, is_primary=True).update(is_primary=False)
        row.is_primary = True
        row.save(update_fields=["is_primary"])
        User.objects.filter(pk=user.pk).update(email=row.address)
    return row


def remove(user: User, pk: int) -> EmailAddress | None:
    """Delete an address of a user, and mail a notice to the primary if it was confirmed.

    Returns None for the address of another user. Raises PrimaryStays while there are others.
    """
    with transaction.atomic():
        rows = _locked_addresses(user.pk)
        row = next((one for one in rows if one.pk == pk), None)
        if row is None:
            return None
        if row.is_primary and len(rows) > 1:
            raise PrimaryStays
        if row.confirmed_at is not None:
            notices.tell_removed(user, row.address)
        if row.is_primary:
            User.objects.filter(pk=user.pk).update(email="")
        row.delete()
    return row


def belongs_to_somebody(address: str) -> bool:
    """Return whether an address is a confirmed one of some account."""
    return EmailAddress.confirmed_as(address).exists()


def take_over(user: User, address: str) -> None:
    """Store an address that another party confirmed as the primary one of a user without any.

    Raises IntegrityError, which ends the caller's transaction, when it belongs to somebody.
    """
    address = User.objects.normalize_email(address)
    EmailAddress.objects.create(
        user=user, address=address, confirmed_at=timezone.now(), is_primary=True
    )
    User.objects.filter(pk=user.pk).update(email=address)


def _locked_addresses(user: int) -> list[EmailAddress]:
    """Return a user's addresses, which nobody else changes before the end of the transaction."""
    row = User.objects.select_for_update(no_key=True).filter(pk=user).first()
    if row is None or row.deleted_at is not None:
        raise AccountDeleted
    return list(EmailAddress.objects.filter(user=row))


def _check_new(rows: list[EmailAddress], address: str) -> None:
    if any(row.address.casefold() == address.casefold() for row in rows):
        raise AddressListed
    if len(rows) >= limits.EMAIL_ADDRESSES_MAX:
        raise TooManyAddresses


def _mail_link(user: User, row: EmailAddress) -> None:
    """Mail the link of a waiting address, or that it belongs to somebody, to that address."""
    if EmailAddress.confirmed_as(row.address).exclude(user=user).exists():
        body = gettext("Your address already belongs to another account here. Nothing has changed.")
    else:
        key = signing.dumps([user.pk, row.address], salt=_SALT)
        lead = gettext("Confirm the address for %(name)s:") % {"name": user.name}
        link = settings.PUBLIC_URL + reverse("email_confirm", args=[key])
        body = outgoing.body_with_link(lead, link)
    outgoing.queue(row.address, gettext("Confirm your e-mail address"), body)
