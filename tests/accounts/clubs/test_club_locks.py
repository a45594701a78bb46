"""Steps in clubs beside the deletion of an account: each waits, and nothing is left of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.clubs import invitations, requests
from accounts.deletion import deleting
from accounts.models import Club, JoinRequest, Membership, User
from accounts.refusals import AccountDeleted
from tests.accounts.clubs.cast import club_of, link_of, person
from tests.tables.ring.room.two_transactions import meanwhile

pytestmark = pytest.mark.django_db(transaction=True)

Step = Callable[[Club, User, str], object]


def _join(club: Club, user: User, token: str) -> object:
    return invitations.join(user, token)


def _ask(club: Club, user: User, token: str) -> object:
    return requests.ask(club, user, "I am Bert of the bakery")


def _accept(club: Club, user: User, token: str) -> object:
    [row] = JoinRequest.objects.filter(club=club)
    return requests.answer(club, person("anna"), row.pk, accept=True)


def _withdraw(club: Club, user: User, token: str) -> object:
    requests.withdraw(club, user)
    return None


@pytest.mark.parametrize("step", [_join, _ask, _accept, _withdraw])
def test_a_step_that_waited_for_a_deletion_leaves_nothing_of_the_account(step: Step) -> None:
    owner, user = person("anna"), person("bert")
    club = club_of(owner)
    token = link_of(club, owner)
    if step in (_accept, _withdraw):
        requests.ask(club, user)
    deleted, refused = meanwhile(lambda: deleting.delete(user), lambda: step(club, user, token))
    assert deleted == f"deleted-{user.pk}"
    assert isinstance(refused, AccountDeleted), refused
    assert not Membership.objects.filter(user=user).exists()
    assert not JoinRequest.objects.exists()
