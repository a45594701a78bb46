"""Reading of the API beside a load: tokens of its players, and the process of clients."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from accounts.models import User
from accounts.users import access_tokens
from config.environment import HOME

SCOPES = ("hands:own", "play", "wallet", "watch")
TOKENS_MAX = 500
"""Players whose tokens are used: each stays far below the rate of one user."""
ENDS_WITHIN_S = 60.0


class ApiReading:
    """Clients that read a room's API for `seconds`, at `rate` requests a second."""

    def __init__(
        self, url: str, rate: float, seconds: float, tournament: int, players: int
    ) -> None:
        self._clients = subprocess.Popen(
            [
                *(sys.executable, "-m", "deploy.drills.api_readers", url),
                *(str(rate), str(seconds), str(tournament)),
            ],
            cwd=HOME,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._clients.stdin is not None
        self._clients.stdin.write("\n".join(tokens(min(players, TOKENS_MAX))))
        self._clients.stdin.close()
        self._clients.stdin = None

    def report(self) -> dict[str, Any]:
        """Wait for the last answers; return the report of the clients, or its lack as a status."""
        try:
            told, _ = self._clients.communicate(timeout=ENDS_WITHIN_S)
            return dict(json.loads(told))
        except (subprocess.TimeoutExpired, ValueError):
            self._clients.kill()
            self._clients.wait()
            return {"statuses": {"clients failed": 1}}


def tokens(count: int) -> list[str]:
    """Return new tokens of so many of the room's bots, one each."""
    users = User.objects.filter(is_bot=True, is_active=True).order_by("pk")[:count]
    return [access_tokens.issue(user, name="load", scopes=SCOPES, days=1) for user in users]
