"""Access tokens at the handshake of a socket: rights, refusals, limits, and their end."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from websockets.exceptions import ConnectionClosed, InvalidStatus

from accounts.models import AccessToken, User
from accounts.users import access_tokens, token_requests
from config import limits
from config.door.rates import Rate
from tables.gateway.hub import Gateway
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import Client, Site, users, wait_for

__all__ = ["game", "site"]

FOREIGN = "http://foreign.example"


def _token(user: User, scope: str = "play") -> str:
    return access_tokens.issue(user, name="bot", scopes=[scope], days=1)


def _open(site: Site, text: str, *, origin: str | None = None, cookie: str | None = None) -> Client:
    headers = {"Authorization": f"Bearer {text}"}
    return site.client(origin=origin, key=cookie, headers=headers)


def _status(site: Site, text: str, **more: str) -> int:
    with pytest.raises(InvalidStatus) as refused:
        _open(site, text, **more)
    return refused.value.response.status_code


def test_a_token_plays_like_a_session(game: Game) -> None:
    user = game.user(game.actor)
    client = game.follow(_open(game.site, _token(user)))
    assert (client.welcome["user"], client.welcome["name"]) == (user.pk, user.name)
    cards = {seat["seat"]: seat["cards"] for seat in client.snapshot["state"]["seats"]}
    assert "??" not in cards[game.actor]
    client.say(**game.command("call"))
    game.work()
    assert client.expect("result")["ok"]
    assert AccessToken.objects.get().used_at is not None


@pytest.mark.parametrize("text", ["", "room_invented", "x" * 5_000])
def test_an_invalid_token_opens_nothing(site: Site, text: str) -> None:
    assert _status(site, text) == 401


def test_expired_revoked_and_foreign_rights_are_refused(site: Site) -> None:
    (user,) = users("Ann")
    expired, revoked, watching = _token(user), _token(user), _token(user, "watch")
    rows = AccessToken.objects.order_by("pk")
    rows.filter(pk=rows[0].pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert access_tokens.revoke(user, rows[1].pk)
    assert [_status(site, text) for text in (expired, revoked, watching)] == [401, 401, 403]
    assert site.ask(lambda gateway: gateway.sockets.of(user.pk)) == []


def test_a_foreign_origin_counts_only_beside_a_cookie(site: Site) -> None:
    (user,) = users("Ann")
    text = _token(user)
    assert _open(site, text, origin=FOREIGN).welcome["user"] == user.pk
    assert _open(site, text).welcome["user"] == user.pk
    assert _status(site, text, origin=FOREIGN, cookie="a" * 32) == 403
    with pytest.raises(InvalidStatus):
        site.client(user, origin=FOREIGN)
    with pytest.raises(InvalidStatus):
        site.client(origin=FOREIGN, headers={"Authorization": "Basic cm9vbQ=="})


@pytest.mark.parametrize("end", ["revoked", "deleted", "password", "ban"])
def test_the_end_of_a_token_ends_its_sockets_alone(site: Site, end: str) -> None:
    (user,) = users("Ann")
    other = site.client(user)
    client = _open(site, _token(user))
    row = AccessToken.objects.get()
    match end:
        case "revoked":
            assert access_tokens.revoke(user, row.pk)
        case "deleted":
            row.delete()
        case "password":
            user.set_password("another one 7")
            user.save()
        case "ban":
            user.is_active = False
            user.save()
    rest, code = client.cut_off()
    told = "banned" if end == "ban" else "token_over"
    assert (rest[-1]["type"], rest[-1]["code"], code) == ("bye", told, 1008)
    if end in ("revoked", "deleted"):
        other.say(type="ping", sent_ms=1)
        assert other.expect("pong")


def test_an_expired_token_ends_at_the_next_check(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SESSIONS_CHECK_MS", 200)
    (user,) = users("Ann")
    client = _open(site, _token(user))
    AccessToken.objects.update(expires_at=timezone.now())  # no signal, no hint
    rest, code = client.cut_off()
    assert (rest[-1]["code"], code) == ("token_over", 1008)


def test_sockets_of_a_token_count_among_those_of_its_user(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SOCKETS_PER_USER_MAX", 2)
    (user,) = users("Ann")
    text = _token(user)
    site.client(user)
    first = _open(site, text)
    with pytest.raises(ConnectionClosed):
        _open(site, text)
    first.close()

    def free(gateway: Gateway) -> bool:
        return len(gateway.sockets.of(user.pk)) == 1

    wait_for(lambda: site.ask(free))
    assert _open(site, text).welcome["user"] == user.pk


def test_handshakes_count_among_the_requests_of_the_api(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_requests, "REQUESTS", Rate("test-token", 1, 0.01))
    monkeypatch.setattr(token_requests, "FAILURES", Rate("test-address", 2, 0.01))
    (user,) = users("Ann")
    text = _token(user)
    assert _open(site, text).welcome["user"] == user.pk
    assert _status(site, text) == 429
    assert [_status(site, "room_invented") for _ in range(3)] == [401, 401, 429]
