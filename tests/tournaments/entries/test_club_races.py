"""Steps of a club's people at the same moment: uses of a link and owners are counted exactly."""

from __future__ import annotations

from redis import Redis

from accounts.clubs import bank, invitations, members
from accounts.models import ClubRole, InvitationLink, Membership
from accounts.users import bots
from config.refusals import Refusal
from tests.tournaments.cast import BUY_IN, at_once
from tests.tournaments.club_scene import club_offer, join, make_club, person
from tournaments.refusals import ClubCannotPay
from tournaments.running import operations


def codes(answers: list[object]) -> list[str]:
    """Codes of the refusals among answers."""
    return [answer.code for answer in answers if isinstance(answer, Refusal)]


def test_one_use_of_a_link_admits_one_of_several(house: Redis) -> None:
    club = make_club()
    _link, token = invitations.make_link(club, person("Olga"), uses=1, days=1)
    players = bots.create(4)
    answers = at_once(*(lambda one=one: invitations.join(one, token) for one in players))
    assert sum(isinstance(answer, Membership) for answer in answers) == 1
    assert codes(answers) == ["invitation_over"] * 3
    assert club.memberships.count() == 2 and InvitationLink.objects.get().used == 1


def test_of_two_owners_who_leave_at_once_one_stays(house: Redis) -> None:
    club = make_club()
    olga, max_ = person("Olga"), join(club, "Max", ClubRole.OWNER)
    answers = at_once(lambda: members.leave(club, olga), lambda: members.leave(club, max_))
    assert codes(answers) == ["last_owner"]
    assert list(club.memberships.values_list("role", flat=True)) == ["owner"]


def test_a_bank_covers_one_of_two_guarantees_opened_at_once(house: Redis) -> None:
    club = make_club()
    bank.fund(club, person("Olga"), 8_000, reason="test", token="once")
    made = [club_offer(club, guarantee=8_000 + 2 * BUY_IN) for _ in range(2)]
    answers = at_once(*(lambda one=one: operations.open(one.pk) for one in made))
    assert sum(isinstance(answer, ClubCannotPay) for answer in answers) == 1, answers
    assert bank.held(club) == 0
