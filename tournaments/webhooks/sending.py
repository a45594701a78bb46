"""One attempt of a delivery: the message of a webhook, posted to its address."""

from __future__ import annotations

from hashlib import sha256

from django.conf import settings

from config.outside import posting
from config.outside.addresses import Resolve
from tournaments.models import Webhook, WebhookDelivery
from tournaments.webhooks import signing

AGENT = "poker-room-webhooks/1"


async def attempt(
    webhook: Webhook, delivery: WebhookDelivery, at_s: int, resolve: Resolve | None = None
) -> tuple[int, str]:
    """Send a delivery once; return the status of the answer and, when it failed, the reason.

    The status is 0 without an answer. The answer's body is not read.
    """
    body = delivery.body.encode()
    headers = {"content-type": "application/json", "user-agent": AGENT}
    if webhook.form == Webhook.Form.JSON:
        message = _id_of(webhook, delivery, body)
        headers |= signing.headers(webhook.secret, message, at_s, body)
    networks = settings.WEBHOOK_NETWORKS
    outcome = await posting.post(webhook.address, headers, body, networks=networks, resolve=resolve)
    return outcome.status, outcome.error


def _id_of(webhook: Webhook, delivery: WebhookDelivery, body: bytes) -> str:
    """Return the id of a message, equal in repeated deliveries of this message alone.

    A PostgreSQL that lost rows, or is restored from a backup, gives numbers of hands and events
    again: a receiver that drops known ids would drop what happened then.
    """
    return f"{webhook.pk}-{delivery.stream}-{delivery.seq}-{sha256(body).hexdigest()[:12]}"
