"""Browsers and networks that users share, noted at each log-in."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from accounts.logins import devices
from accounts.models import User

_SALT = "tables.conduct.logins"
_DIGITS = 32


def note_shared(request: HttpRequest, user: User) -> None:
    """Note the other users of the browser's cookie, and a keyed hash of the network.

    No address and no name of a device is kept: equal hashes tell equal networks, and no more.
    """
    others = [other for other in devices.users_of(request) if other != user.pk]
    pairs = sorted({(min(user.pk, other), max(user.pk, other)) for other in others})
    network = devices.network_of(request)
    with connection.cursor() as cursor:
        # One by one: who holds the row of a pair waits for that of no other pair.
        for pair in pairs:
            cursor.execute(_ADD_BROWSER, pair)
        if network:
            hashed = salted_hmac(_SALT, network, algorithm="sha256").hexdigest()[:_DIGITS]
            cursor.execute(_ADD_NETWORK, [user.pk, hashed])


def on_login(sender: Any, request: HttpRequest | None, user: User, **given: Any) -> None:
    """Note what a log-in by a request shares with others."""
    if request is not None:
        note_shared(request, user)


_ADD_BROWSER = """
WITH added AS (
  INSERT INTO conduct_sharedbrowser AS s (first_id, second_id, logins, last_at)
  SELECT a.id, b.id, 1, statement_timestamp()
    FROM accounts_user a, accounts_user b
   WHERE a.id = %s AND b.id = %s AND a.deleted_at IS NULL AND b.deleted_at IS NULL
      ON CONFLICT (first_id, second_id) DO UPDATE
     SET logins = s.logins + 1, last_at = excluded.last_at
  RETURNING first_id, second_id
)
UPDATE conduct_pairconduct p SET is_new = true -- also if the two never meet again
  FROM added
 WHERE (p.first_id, p.second_id) = (added.first_id, added.second_id)
   AND p.month = (SELECT max(month) FROM conduct_pairconduct o
                   WHERE (o.first_id, o.second_id) = (p.first_id, p.second_id))
"""

_ADD_NETWORK = """
INSERT INTO conduct_loginnetwork AS n (user_id, network, logins, last_at)
VALUES (%s, %s, 1, statement_timestamp())
    ON CONFLICT (user_id, network) DO UPDATE
   SET logins = n.logins + 1, last_at = excluded.last_at
"""
