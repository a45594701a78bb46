"""Registration by the API: the rules of the page, once for each idempotency key."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from redis import Redis

from accounts.ledger.transfers import held_by
from accounts.models import ApiAnswer, User
from accounts.users import access_tokens, bots
from tests.tournaments.api import asking
from tests.tournaments.cast import open_offer
from tests.tournaments.prizes.ticket_scene import give_ticket, ticket_event
from tournaments.models import Entry, Tournament


@pytest.fixture
def ann(house: Redis) -> User:
    return bots.create(1)[0]


@pytest.fixture
def token(ann: User) -> str:
    return access_tokens.issue(ann, name="play", scopes=["play"], days=1)


def ask(token: str, tournament: Tournament, key: str = "k", **body: Any) -> Any:
    """POST a registration."""
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
    headers = {name: value for name, value in headers.items() if value}
    return Client().post(
        f"/api/v1/tournaments/{tournament.pk}/entries",
        json.dumps(body),
        content_type="application/json",
        headers=headers,
    )


def withdraw(token: str, tournament: Tournament, key: str = "") -> Any:
    headers = {"Authorization": f"Bearer {token}"} | ({"Idempotency-Key": key} if key else {})
    return Client().delete(f"/api/v1/tournaments/{tournament.pk}/entries", headers=headers)


def refused(answer: Any, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content


@pytest.mark.rule("T-01", "T-06")
def test_a_program_registers_once_for_a_key_and_withdraws(ann: User, token: str) -> None:
    tournament, before = open_offer(), held_by(ann)
    first = ask(token, tournament)
    assert first.status_code == 201
    assert first.json() == {
        "id": Entry.objects.get().pk,
        "tournament": tournament.pk,
        "number": 1,
        "name": ann.name,
        "state": "registered",
        "ticket": None,
    }
    wallet = asking.token(ann, "wallet")
    [paid, *earlier] = asking.get("/wallet", wallet).json()["items"]
    assert (paid["kind"], paid["amount"]) == ("registration", -tournament.price)
    assert paid["ref"] == tournament.member
    assert {row["ref"] for row in earlier} == {""}, "money to start with belongs to no tournament"
    again = ask(token, tournament)
    assert (again.status_code, again.json()) == (201, first.json())
    assert held_by(ann) == before - tournament.price and Entry.objects.count() == 1
    assert withdraw(token, tournament).json()["state"] == "unregistered"
    assert held_by(ann) == before
    refused(withdraw(token, tournament), 409, "not_registered")


@pytest.mark.rule("T-06")
def test_a_withdrawal_repeated_under_its_key_takes_back_one_of_several_entries(
    ann: User, token: str
) -> None:
    tournament = open_offer(entries_max=3, several_at_once=True)
    for key in ("a", "b", "c"):
        assert ask(token, tournament, key=key).status_code == 201
    held = held_by(ann)
    first, again = (withdraw(token, tournament, key="back") for _ in range(2))
    assert first.status_code == again.status_code == 200 and first.json() == again.json()
    assert held_by(ann) == held + tournament.price
    other = withdraw(token, tournament).json()
    assert other["id"] != first.json()["id"] and held_by(ann) == held + 2 * tournament.price


@pytest.mark.rule("K-02")
def test_a_ticket_pays(ann: User, token: str) -> None:
    ticket, tournament = give_ticket(ann), ticket_event(methods="ticket")
    refused(ask(token, tournament), 409, "tickets_only")
    assert ask(token, tournament, ticket="any").json()["ticket"] == ticket.pk


def test_tickets_are_listed_to_their_owner(ann: User) -> None:
    ticket, ben = give_ticket(ann), bots.create(2)[1]
    wallet, other = (asking.token(user, "wallet") for user in (ann, ben))
    [row] = asking.get("/tickets", wallet).json()["items"]
    assert (row["id"], row["value"], row["state"]) == (ticket.pk, ticket.value, "valid")
    assert asking.get("/tickets", other).json()["items"] == []
    assert asking.get("/tickets", asking.token(ann, "watch")).status_code == 403


def test_refusals_change_nothing_and_leave_the_key_free(ann: User, token: str) -> None:
    tournament, before = open_offer(), held_by(ann)
    dear = open_offer(buy_in=before)
    watcher = access_tokens.issue(ann, name="watch", scopes=["watch"], days=1)
    wrong = [
        (ask("room_wrong", tournament), 401, "invalid_token"),
        (
            ask(watcher, tournament),
            403,
            "missing_scope",
        ),
        (ask(token, tournament, key=""), 400, "missing_key"),
        (ask(token, tournament, key="k" * 65), 400, "missing_key"),
        (ask(token, tournament, key="with space"), 400, "missing_key"),
        (ask(token, tournament, seats=2), 400, "invalid_request"),
        (ask(token, tournament, ticket=["any"]), 400, "invalid_request"),
        (ask(token, Tournament(pk=10**9)), 404, "not_found"),
    ]
    for answer, status, code in wrong:
        refused(answer, status, code)
    assert ask(token, dear).status_code == 409
    assert not Entry.objects.exists() and held_by(ann) == before and not ApiAnswer.objects.exists()
    assert ask(token, tournament).status_code == 201
    refused(ask(token, dear), 409, "reused_key")
    refused(ask(token, tournament, ticket="any"), 409, "reused_key")
    assert Entry.objects.count() == 1


def test_keys_of_two_players_are_apart(ann: User, token: str) -> None:
    ben = bots.create(2)[1]
    other = access_tokens.issue(ben, name="play", scopes=["play"], days=1)
    tournament = open_offer()
    assert ask(token, tournament).json()["number"] == 1
    assert ask(other, tournament).json()["number"] == 2


@pytest.mark.rule("T-02")
def test_a_private_tournament_asks_for_its_password(ann: User, token: str) -> None:
    tournament = open_offer()
    Tournament.objects.filter(pk=tournament.pk).update(password="$argon2$never-right")
    refused(ask(token, tournament), 409, "wrong_password")
    refused(ask(token, tournament, password="guess"), 409, "wrong_password")
    assert not Entry.objects.exists()


def test_two_requests_at_once_under_one_key_buy_one_entry(ann: User, token: str) -> None:
    tournament, before = open_offer(), held_by(ann)
    answers: list[Any] = []

    def send() -> None:
        try:
            answers.append(ask(token, tournament))
        finally:
            connection.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [201] * 4
    assert len({answer.content for answer in answers}) == 1
    assert Entry.objects.count() == 1 and held_by(ann) == before - tournament.price
