"""Accounts and the log-ins that are linked to them: found, made, linked, unlinked.

A log-in joins an existing account only by its owner, logged in; equal mail addresses join nothing.
Without a password the last of an account's links and passkeys stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.mail import addresses, notices
from accounts.models import Passkey, User
from accounts.providers.models import LinkedLogin
from accounts.providers.proofs import ProvedPerson
from accounts.providers.refusals import (
    AccountClosed,
    AddressKnown,
    LastWayIn,
    LinkedAlready,
    LinkedElsewhere,
    NotLinked,
)
from accounts.users.second_factor import has_passkey
from accounts.users.signup import sign_up
from config.outside.identity_providers import IdentityProvider


def provider_of(key: str) -> IdentityProvider | None:
    """Return the configured provider of a key."""
    return next((one for one in settings.OPENID_PROVIDERS if one.key == key), None)


def links_of(user: User) -> list[LinkedLogin]:
    """Return a user's linked log-ins in the order in which they were linked."""
    return list(LinkedLogin.objects.filter(user=user).order_by("pk"))


def confirming(user: User) -> list[IdentityProvider]:
    """Return the providers by which a user may confirm a step instead of by the password."""
    keys = {row.provider for row in links_of(user)}
    return [one for one in settings.OPENID_PROVIDERS if one.key in keys and one.confirms]


def user_of(person: ProvedPerson) -> User | None:
    """Return the user to whom a person's log-in is linked, None for nobody; note the use.

    Raises AccountClosed for a banned one.
    """
    row = _rows_of(person).select_related("user").first()
    if row is None:
        return None
    if not row.user.is_active:
        raise AccountClosed
    _rows_of(person).update(used_at=timezone.now())
    return row.user


def check_new(person: ProvedPerson, provider: IdentityProvider) -> None:
    """Raise AddressKnown when a new account would share its mail address with another one."""
    if person.address and addresses.belongs_to_somebody(person.address):
        raise AddressKnown(provider=provider.name)


def make_account(
    person: ProvedPerson, provider: IdentityProvider, name: str, source: str | None = None
) -> User:
    """Create the account of a person who is new here, under a chosen name and without a password.

    Raises SignUpRefused, AddressKnown or LinkedElsewhere; then nothing was made.
    """
    try:
        with transaction.atomic():
            check_new(person, provider)
            user = sign_up(name, None, source=source)
            LinkedLogin.objects.create(
                user=user,
                provider=person.provider,
                subject=person.subject,
                used_at=timezone.now(),
            )
            if person.address:
                addresses.take_over(user, person.address)
    except IntegrityError as error:  # two forms of one person at once, or of one address
        if _rows_of(person).exists():
            raise LinkedElsewhere(provider=provider.name) from error
        raise AddressKnown(provider=provider.name) from error
    return user


def link(user: User, person: ProvedPerson, provider: IdentityProvider) -> None:
    """Link a person's log-in to a user's account; one that is linked already stays.

    Raises LinkedElsewhere or LinkedAlready.
    """
    try:
        with transaction.atomic():
            row, made = LinkedLogin.objects.get_or_create(
                provider=person.provider, subject=person.subject, defaults={"user": user}
            )
            if made:
                notices.tell_login_linked(user, provider.name)
    except IntegrityError as error:
        raise LinkedAlready(provider=provider.name) from error
    if row.user_id != user.pk:
        raise LinkedElsewhere(provider=provider.name)


def check_own(user: User, person: ProvedPerson, provider: IdentityProvider) -> None:
    """Raise NotLinked unless a person's log-in is linked to this user."""
    if not _rows_of(person).filter(user=user).update(used_at=timezone.now()):
        raise NotLinked(provider=provider.name)


def unlink(user: User, pk: int) -> bool:
    """Remove a link of this user; False for others. Raises LastWayIn."""
    return _remove(user, LinkedLogin.objects.filter(user=user, pk=pk))


def remove_passkey(user: User, pk: int) -> bool:
    """Remove a passkey of this user; False for others. Raises LastWayIn."""
    return _remove(user, Passkey.objects.filter(user=user, pk=pk))


def _remove(user: User, rows: QuerySet[Any]) -> bool:
    """Delete a way into an account and return whether there was one; raises LastWayIn."""
    with transaction.atomic():
        # The lock keeps two forms sent at once from removing the last two ways in.
        locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if not rows.delete()[0]:
            return False
        usable = [one.key for one in settings.OPENID_PROVIDERS]
        links = LinkedLogin.objects.filter(user=locked, provider__in=usable)
        if not (locked.has_usable_password() or has_passkey(locked) or links.exists()):
            raise LastWayIn
    return True


def erase(user: User) -> None:
    """Delete a user's links: the log-ins may sign up anew."""
    LinkedLogin.objects.filter(user=user).delete()


def exported_links(user: User) -> Iterable[Mapping[str, Any]]:
    """Return a user's linked log-ins."""
    rows = LinkedLogin.objects.filter(user=user).order_by("pk")
    return rows.values("provider", "subject", "linked_at", "used_at")


def _rows_of(person: ProvedPerson) -> QuerySet[LinkedLogin]:
    return LinkedLogin.objects.filter(provider=person.provider, subject=person.subject)
