"""Requests to the API with a token of a user, and what its refusals must look like."""

from __future__ import annotations

import json
import secrets
from typing import Any

from django.test import Client

from accounts.models import User
from accounts.users import access_tokens

ROOT = "/api/v1"


def token(user: User, *scopes: str) -> str:
    """Text of a new token."""
    return access_tokens.issue(user, name="mine", scopes=scopes, days=1)


def get(address: str, text: str, **query: str) -> Any:
    """Answer to a GET with a token."""
    return Client().get(ROOT + address, query, headers={"Authorization": f"Bearer {text}"})


def post(address: str, text: str, body: object, key: str = "") -> Any:
    """Answer to a POST of JSON, or of a text as it is, with a token and an idempotency key."""
    headers = {"Authorization": f"Bearer {text}", "Idempotency-Key": key}
    return Client().post(
        ROOT + address,
        body if isinstance(body, str) else json.dumps(body),
        content_type="application/json",
        headers={name: value for name, value in headers.items() if value},
    )


def by_session(
    client: Client, address: str, body: object = None, method: str = "POST", key: str = ""
) -> Any:
    """Answer to a request of JSON with the session of a client, as scripts of pages send it."""
    return client.generic(
        method,
        ROOT + address,
        b"" if body is None else json.dumps(body),
        "application/json",
        headers={"Idempotency-Key": key or secrets.token_hex(8)},
    )


def refused(answer: Any, status: int, code: str) -> None:
    """Assert a problem with this status and code, and a sentence."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["detail"]
