"""Downloads of a hand's proof, as a visitor makes them."""

from __future__ import annotations

import json

from django.test import Client
from django.urls import reverse

from tables.models import Table


def proof_of(table: Table, number: int, client: Client) -> dict[str, object]:
    """The proof that a visitor downloads."""
    answer = client.get(reverse("hand_proof", args=[table.pk, number]))
    assert answer.status_code == 200
    proof: dict[str, object] = json.loads(answer.content)
    return proof
