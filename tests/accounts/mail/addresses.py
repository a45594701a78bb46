"""Confirmed addresses of the tests' users, and the mails on their way."""

from __future__ import annotations

import re

from django.utils import timezone

from accounts.mail import outgoing
from accounts.models import EmailAddress, User
from tests.accounts.mail.mail_sink import MailSink


def confirmed(user: User, *addresses: str) -> User:
    """Give a user confirmed addresses, of which the first is the primary."""
    for address in addresses:
        EmailAddress.objects.create(
            user=user,
            address=address,
            confirmed_at=timezone.now(),
            is_primary=address == addresses[0],
        )
    User.objects.filter(pk=user.pk).update(email=addresses[0])
    user.email = addresses[0]
    return user


def sent(sink: MailSink) -> list[tuple[str, str]]:
    """Send all mails on their way; return the address and the text of each."""
    before = len(sink.mails)
    while outgoing.deliver_next():
        pass
    return [(str(one["To"]), str(one.get_content())) for one in sink.mails[before:]]


def path_in(text: str) -> str:
    """The path of the link in a mail."""
    found = re.search(r"https?://[^/]+(/\S+)", text)
    assert found, text
    return found[1]


def stored() -> list[tuple[str, str, bool, bool]]:
    """Name, address, whether it is confirmed and the primary, and nothing else of all addresses."""
    rows = EmailAddress.objects.select_related("user").order_by("pk")
    return [
        (row.user.name, row.address, row.confirmed_at is not None, row.is_primary) for row in rows
    ]
