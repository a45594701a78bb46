"""Mail of the room: queued with the fact it tells, sent by a process that may wait for a server."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import EmailAddress, Mail
from accounts.retention.rows import AgingRows
from config import limits

LEASE = timedelta(seconds=limits.MAIL_TIMEOUT_S * 3)
"""Time for which a claimed mail belongs to its process; longer than an attempt."""
FIRST_PAUSE = timedelta(seconds=30)
KEPT = timedelta(days=30)
"""Age at which the rows of ended mails are deleted."""

NOBODY = ""
"""Address of a mail that is stored like any other and dropped instead of sent."""

ENDED_MAILS = AgingRows("mails", Mail, "made_at", lambda: KEPT, only=~Q(state=Mail.State.WAITING))


def is_on() -> bool:
    """Return whether the room can send mail."""
    return bool(settings.MAIL_URL)


def queue(address: str, subject: str, body: str) -> None:
    """Store a mail with the fact of its transaction; nothing when the room sends none."""
    if is_on():
        Mail.objects.create(address=address, subject=subject, body=body)


def primary_address(user: int) -> str:
    """Return the address to which mail for a user goes, by the user's key; "" for none."""
    rows = EmailAddress.objects.filter(user=user, is_primary=True)
    return rows.values_list("address", flat=True).first() or ""


def body_with_link(lead: str, link: str) -> str:
    """Return the text of a mail whose link was asked for, perhaps by somebody else."""
    rest = gettext("Was it not you? Then forget this mail: nothing has changed.")
    return f"{lead}\n{link}\n\n{rest}"


def deliver_next() -> bool:
    """Send the mail due first; return False when none is due.

    A process that dies between sending and noting it sends that one mail twice.
    """
    # 1. Claim the mail for longer than an attempt takes: other processes pass it over.
    now = timezone.now()
    with transaction.atomic():
        due = Mail.objects.filter(state=Mail.State.WAITING, due_at__lte=now)
        mail = due.select_for_update(skip_locked=True).order_by("due_at", "pk").first()
        if mail is None:
            return False
        if mail.address == NOBODY:
            mail.delete()
            return True
        mail.due_at = now + LEASE
        mail.save(update_fields=["due_at"])
    # 2. Send it without a transaction: the server may be slow.
    try:
        EmailMessage(mail.subject, mail.body, to=[mail.address]).send()
    except OSError as error:  # of the network, and every refusal of a mail server
        _note_failure(mail, str(error) or type(error).__name__)
    except ValueError as error:  # of an address to which no mail can be written
        _note_failure(mail, str(error), most=1)
    else:
        _note(mail, state=Mail.State.SENT, body="", error="")
    return True


def prune() -> int:
    """Delete the rows of mails that ended long ago; return their number."""
    return ENDED_MAILS.prune()


def _note_failure(mail: Mail, error: str, most: int = limits.MAIL_ATTEMPTS_MAX) -> None:
    attempts = mail.attempts + 1
    due_at = timezone.now() + FIRST_PAUSE * 2**attempts
    given_up = {"state": Mail.State.DEAD, "body": ""} if attempts >= most else {}
    _note(mail, attempts=attempts, error=error[:200], due_at=due_at, **given_up)


def _note(mail: Mail, **columns: Any) -> None:
    """Store what became of an attempt; nothing for a mail deleted meanwhile with its account."""
    Mail.objects.filter(pk=mail.pk).update(**columns)
