"""Passwords of private ring games: checked before the game is locked, and counted."""

from __future__ import annotations

from django.contrib.auth.hashers import check_password

from accounts.models import User
from accounts.users.password_tries import count_try
from tables.ring.models import RingGame, RingSession
from tables.ring.refusals import WrongRingPassword


def known(user: User, game_id: int, password: str, address: str) -> str:
    """Return the hash of a game's password that the player gave; "" for a public game.

    Hashing is slow: the caller locks the game afterwards, and compares the hash with its row.
    Raises WrongRingPassword and TooManyTries.
    """
    secret = RingGame.objects.filter(pk=game_id).values_list("password", flat=True).first()
    if not secret:
        return ""
    if not password:
        raise WrongRingPassword
    # Players of the game have known its password: they come and go without a count.
    if not RingSession.objects.filter(game=game_id, user=user).exists():
        count_try(user.pk, address)
    if not check_password(password, secret):
        raise WrongRingPassword
    return secret
