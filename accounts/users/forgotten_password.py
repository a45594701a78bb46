"""Mail with a link for a new password, for whoever asks for one by name or address.

No answer tells whether the name or the address is known: only the mail does.
"""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.utils.translation import get_language, gettext, override

from accounts.mail import outgoing, rates
from accounts.models import EmailAddress, User
from accounts.names import fold
from accounts.users import password_links
from config import limits


def mail_link(name_or_address: str, source: str) -> None:
    """Mail a link for a new password to a confirmed address: the one asked for, or the primary.

    Known or not, the work and the answer are the same. Raises NoMail or TooMuchMail.
    """
    asked = name_or_address.strip()[: limits.TEXT_ASKED_MAX]
    rates.take_tries(f"asked:{fold(asked)}", source)
    found = (
        EmailAddress.confirmed_as(asked)
        if "@" in asked
        else EmailAddress.objects.filter(user__name_key=fold(asked), is_primary=True)
    )
    row = found.filter(user__is_active=True).select_related("user").first()
    user = row.user if row else User(pk=0, name=asked[: limits.NAME_MAX_CHARACTERS])
    with transaction.atomic(), override(user.language or get_language()):
        link = settings.PUBLIC_URL + password_links.mailed_path_for(user)
        lead = gettext("Set a new password for %(name)s:") % {"name": user.name}
        body = outgoing.body_with_link(lead, link)
        # Nobody's mail is stored as well: a commit that only accounts have would tell them apart.
        outgoing.queue(row.address if row else outgoing.NOBODY, gettext("Your new password"), body)
