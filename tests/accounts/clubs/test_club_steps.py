"""Steps in clubs: each is recorded, and a refused one changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import Permission
from django.db import DatabaseError, transaction
from django.utils import timezone

from accounts.clubs import announcing, invitations, members, profiles, requests
from accounts.clubs.profiles import ClubProfile
from accounts.deletion import deleting
from accounts.models import (
    Club,
    ClubAnnouncement,
    ClubAuditRow,
    ClubRole,
    InvitationLink,
    JoinRequest,
    Membership,
    User,
)
from config import limits
from config.refusals import Refusal
from tests.accounts.clubs.cast import club_of, join, link_of, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    return person("anna")


@pytest.fixture
def club(anna: User) -> Club:
    return club_of(anna)


def rows() -> list[list[Mapping[str, object]]]:
    """All rows of clubs."""
    kinds = (Club, Membership, InvitationLink, JoinRequest, ClubAnnouncement, ClubAuditRow)
    return [list(kind._default_manager.order_by("pk").values()) for kind in kinds]


def refused(act: Callable[[], object]) -> str:
    """Take a step that is refused; return the code, and its field if any."""
    before = rows()
    with pytest.raises(Refusal) as refusal:
        act()
    assert rows() == before, "a refusal changes nothing"
    return ".".join(filter(None, (refusal.value.code, refusal.value.field)))


def actions(club: Club) -> list[str]:
    return list(
        ClubAuditRow.objects.filter(club=club).order_by("pk").values_list("action", flat=True)
    )


def test_an_evening_of_steps_is_recorded_with_actor_and_subject(anna: User, club: Club) -> None:
    bert = join(club, anna, "bert", ClubRole.MANAGER)
    cleo, dora = person("cleo"), person("dora")
    asked = requests.ask(club, cleo, "It is me")
    requests.answer(club, bert, asked.pk, accept=True)
    again = requests.ask(club, dora)
    requests.answer(club, bert, again.pk, accept=False)
    announcing.announce(club, bert, "Friday at eight", "a" * 22)
    announcing.announce(club, bert, "Friday at eight", "a" * 22)
    members.remove(club, bert, cleo)
    members.leave(club, bert)
    profiles.change_profile(club, anna, ClubProfile("River Rats", "Home of the nuts"))
    assert actions(club) == [
        *("make", "invite", "join", "role", "ask", "accept", "ask", "refuse"),
        *("announce", "remove", "leave", "profile"),
    ]
    removal = ClubAuditRow.objects.get(action="remove")
    assert (removal.actor, removal.subject) == (bert, cleo)
    assert list(club.memberships.values_list("user", "role")) == [(anna.pk, "owner")]


def test_audit_rows_cannot_be_changed_or_deleted(club: Club) -> None:
    for change in (
        lambda: ClubAuditRow.objects.update(action="nothing"),
        lambda: ClubAuditRow.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


def test_names_taken_or_wrong_are_refused_beside_their_field(anna: User, club: Club) -> None:
    for name in ("River Rats", "river-rats!", "RIVER  RATS"):
        assert refused(partial(club_of, anna, name)) == "club_refused.name"
    for name in ("ab", "x" * 41, "<b>Rats</b>", "New", "Сlub"):
        assert refused(partial(club_of, anna, name)) == "club_refused.name"
    irons = club_of(anna, "Big Irons")
    for name in ("Big lrons", "big 1rons", "Bıg Irons"):
        assert refused(partial(club_of, anna, name)) == "club_refused.name", "read as Big Irons"
    Club.objects.create(name="Big lrons", slug="big-lrons", name_key="big-lrons")
    old = ClubProfile("Big Irons", description="before names were compared by look")
    profiles.change_profile(irons, anna, old)
    hidden = ClubProfile("Other", description="a\u202eb")
    assert refused(lambda: profiles.make_club(anna, hidden)) == "club_refused.description"
    long = ClubProfile("Other", description="x" * 1_001)
    assert refused(lambda: profiles.make_club(anna, long)) == "club_refused.description"
    red = ClubProfile("Other", second_colour="red")
    assert refused(lambda: profiles.make_club(anna, red)) == "club_refused.second_colour"
    other = club_of(anna, "Turn Toads")
    taken = ClubProfile("river rats")
    assert refused(lambda: profiles.change_profile(other, anna, taken)) == "club_refused.name"
    profiles.change_profile(other, anna, ClubProfile("TURN TOADS"))


def test_a_player_owns_few_clubs(anna: User) -> None:
    for number in range(limits.CLUBS_OWNED_MAX):
        club_of(anna, f"Club {number}")
    assert refused(lambda: club_of(anna, "One more")) == "too_many_clubs"


def test_a_player_is_made_owner_of_few_clubs(anna: User, club: Club) -> None:
    bert = join(club, anna, "bert")
    for number in range(limits.CLUBS_OWNED_MAX):
        club_of(bert, f"Club {number}")
    make = partial(members.change_role, club, anna, bert)
    assert refused(lambda: make(ClubRole.OWNER)) == "too_many_clubs"
    assert make(ClubRole.MANAGER).role == ClubRole.MANAGER


def test_a_link_counts_its_uses_and_refuses_a_second_one(anna: User, club: Club) -> None:
    token = link_of(club, anna, uses=2)
    bert, cleo, dora = map(person, ("bert", "cleo", "dora"))
    invitations.join(bert, token)
    assert refused(lambda: invitations.join(bert, token)) == "already_member"
    assert refused(lambda: invitations.join(anna, token)) == "already_member"
    invitations.join(cleo, token)
    assert refused(lambda: invitations.join(dora, token)) == "invitation_over"
    assert InvitationLink.objects.get().used == 2
    assert token not in str(InvitationLink.objects.values()), "the token is stored nowhere"
    assert token not in str(ClubAuditRow.objects.values())


def test_expired_revoked_and_guessed_links_are_refused(anna: User, club: Club) -> None:
    bert = person("bert")
    expired, revoked = link_of(club, anna), link_of(club, anna)
    InvitationLink.objects.filter(pk=invitations.find(expired).pk).update(expires_at=timezone.now())
    link = invitations.find(revoked)
    invitations.revoke(club, anna, link.pk)
    assert refused(lambda: invitations.join(bert, expired)) == "invitation_over"
    assert refused(lambda: invitations.join(bert, revoked)) == "invitation_over"
    assert refused(lambda: invitations.revoke(club, anna, link.pk)) == "invitation_over"
    for guess in ("0" * 32, "", "\x00", "\ud800", "x" * 10_000, link.digest):
        assert refused(partial(invitations.join, bert, guess)) == "no_such_invitation"


@pytest.mark.parametrize(
    ("uses", "days", "field"),
    [(0, 7, "uses"), (-1, 7, "uses"), (501, 7, "uses"), (5, 0, "days"), (5, 91, "days")],
)
def test_links_out_of_range_are_refused(
    anna: User, club: Club, uses: int, days: int, field: str
) -> None:
    make = invitations.make_link
    assert refused(lambda: make(club, anna, uses=uses, days=days)) == f"bad_link.{field}"


def test_a_club_has_few_open_links(anna: User, club: Club) -> None:
    for _ in range(limits.CLUB_LINKS_MAX):
        link_of(club, anna)
    assert refused(lambda: link_of(club, anna)) == "bad_link"
    invitations.revoke(club, anna, InvitationLink.objects.earliest("pk").pk)
    link_of(club, anna)


def test_a_removed_member_does_not_come_back_by_an_older_link(anna: User, club: Club) -> None:
    token = link_of(club, anna)
    bert = join(club, anna, "bert")
    members.remove(club, anna, bert)
    assert refused(lambda: invitations.join(bert, token)) == "removed_before"
    invitations.join(bert, link_of(club, anna))


def test_members_and_managers_of_other_clubs_may_nothing_here(anna: User, club: Club) -> None:
    member = join(club, anna, "bert")
    stranger = person("stan")
    club_of(stranger, "Turn Toads")
    asked = requests.ask(club, person("cleo"))
    link = invitations.find(link_of(club, anna))
    new = ClubProfile("Stolen")
    for actor in (member, stranger):
        for act in (
            lambda actor=actor: profiles.change_profile(club, actor, new),
            lambda actor=actor: link_of(club, actor),
            lambda actor=actor: invitations.revoke(club, actor, link.pk),
            lambda actor=actor: requests.answer(club, actor, asked.pk, accept=True),
            lambda actor=actor: announcing.announce(club, actor, "Hello", "b" * 22),
            lambda actor=actor: announcing.withdraw(club, actor, 1),
            lambda actor=actor: members.remove(club, actor, member),
        ):
            assert refused(act) == "not_for_role"
        promote = lambda actor=actor: members.change_role(club, actor, actor, ClubRole.OWNER)  # noqa: E731
        assert refused(promote) == "not_for_managers"


def test_links_and_requests_of_another_club_are_unknown(anna: User, club: Club) -> None:
    other = club_of(anna, "Turn Toads")
    link = invitations.find(link_of(club, anna))
    asked = requests.ask(club, person("cleo"))
    assert refused(lambda: invitations.revoke(other, anna, link.pk)) == "no_such_invitation"
    assert refused(lambda: requests.answer(other, anna, asked.pk, accept=True)) == "request_over"


def test_managers_remove_members_only(anna: User, club: Club) -> None:
    bert = join(club, anna, "bert", ClubRole.MANAGER)
    cleo = join(club, anna, "cleo", ClubRole.MANAGER)
    for subject in (anna, cleo):
        assert refused(partial(members.remove, club, bert, subject)) == ("not_for_role")
    change = members.change_role
    assert refused(lambda: change(club, bert, bert, ClubRole.OWNER)) == "not_for_managers"
    assert refused(lambda: members.remove(club, anna, person("dora"))) == "not_member"


def test_the_last_owner_stays(anna: User, club: Club) -> None:
    bert = join(club, anna, "bert")
    assert refused(lambda: members.leave(club, anna)) == "last_owner"
    assert refused(lambda: members.remove(club, anna, anna)) == "last_owner"
    step_down = lambda: members.change_role(club, anna, anna, ClubRole.MEMBER)  # noqa: E731
    assert refused(step_down) == "last_owner"
    members.change_role(club, anna, bert, ClubRole.OWNER)
    members.leave(club, anna)
    assert list(club.memberships.values_list("user", flat=True)) == [bert.pk]


def test_an_owner_whose_account_is_closed_is_no_successor(anna: User, club: Club) -> None:
    bert = join(club, anna, "bert", ClubRole.OWNER)
    User.objects.filter(pk=bert.pk).update(is_active=False)
    assert refused(lambda: members.leave(club, anna)) == "last_owner"
    assert [refusal.code for refusal in deleting.obstacles(anna)] == ["last_owner_of"]
    members.remove(club, anna, bert)
    cleo = join(club, anna, "cleo", ClubRole.OWNER)
    members.leave(club, anna)
    assert list(club.memberships.values_list("user", flat=True)) == [cleo.pk]


def test_requests_are_asked_once_and_answered_once(anna: User, club: Club) -> None:
    bert = person("bert")
    asked = requests.ask(club, bert)
    assert refused(lambda: requests.ask(club, bert)) == "requested_already"
    requests.answer(club, anna, asked.pk, accept=False)
    assert refused(lambda: requests.answer(club, anna, asked.pk, accept=True)) == "request_over"
    assert refused(lambda: requests.ask(club, bert)) == "requested_too_often"
    yesterday = timezone.now() - timedelta(seconds=limits.CLUB_REQUEST_AGAIN_S)
    JoinRequest.objects.update(answered_at=yesterday)
    requests.ask(club, bert)
    invitations.join(bert, link_of(club, anna))
    assert JoinRequest.objects.latest("pk").state == JoinRequest.State.JOINED
    assert refused(lambda: requests.ask(club, bert)) == "already_member"
    long = "x" * (limits.CLUB_REQUEST_MAX_CHARACTERS + 1)
    assert refused(lambda: requests.ask(club, person("cleo"), long)) == "club_refused.text"


def test_a_closed_club_and_many_open_requests_refuse_another(anna: User) -> None:
    closed = club_of(anna, "Closed", takes_requests=False)
    cleo, dora = person("cleo"), person("dora")
    assert refused(lambda: requests.ask(closed, cleo)) == "no_requests"
    owners = (person(f"owner{number}") for number in range(limits.CLUB_REQUESTS_OPEN_MAX))
    for number, owner in enumerate(owners):
        requests.ask(club_of(owner, f"Club {number}"), dora)
    more = club_of(anna, "One more")
    assert refused(lambda: requests.ask(more, dora)) == "requested_too_often"


def test_a_request_that_is_taken_back_and_made_again_fills_no_record(
    anna: User, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    bert, other = person("bert"), club_of(anna, "Another")
    for _ in range(limits.CLUB_REQUESTS_A_DAY_MAX):
        requests.ask(club, bert)
        requests.withdraw(club, bert)
    assert refused(lambda: requests.ask(club, bert)) == "requested_too_often"
    requests.ask(other, bert)
    requests.ask(club, person("cleo"))
    monkeypatch.setattr(limits, "CLUB_REQUEST_AGAIN_S", 0)  # tomorrow
    requests.ask(club, bert)


def test_a_full_club_admits_nobody(anna: User, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CLUB_MEMBERS_MAX", 1)
    token, asked = link_of(club, anna), requests.ask(club, person("cleo"))
    assert refused(lambda: invitations.join(person("bert"), token)) == "club_full"
    assert refused(lambda: requests.answer(club, anna, asked.pk, accept=True)) == "club_full"


def test_staff_with_the_right_act_as_owners(anna: User, club: Club) -> None:
    sam = User.objects.create_user(name="sam", is_staff=True)
    assert refused(lambda: link_of(club, sam)) == "not_for_role"
    sam.user_permissions.set(Permission.objects.filter(codename="change_club"))
    sam = User.objects.get(pk=sam.pk)
    bert = join(club, anna, "bert")
    members.change_role(club, sam, bert, ClubRole.OWNER)
    assert ClubAuditRow.objects.latest("pk").actor == sam


def test_announcements_need_a_text_without_hidden_signs(anna: User, club: Club) -> None:
    for text in ("", " \n ", "a\u202eb", "x" * 1_001):
        act = lambda text=text: announcing.announce(club, anna, text, "c" * 22)  # noqa: E731
        assert refused(act) == "club_refused.text"
    row = announcing.announce(club, anna, "Hello", "c" * 22)
    other = club_of(anna, "Owls")
    for where, text in ((club, "Hello all"), (other, "Hello")):
        again = partial(announcing.announce, where, anna, text, "c" * 22)
        assert refused(again) == "club_refused.text"
    assert announcing.newest(club) == [row] and announcing.newest(other) == []
    announcing.withdraw(club, anna, row.pk)
    announcing.withdraw(club, anna, row.pk)
    assert announcing.newest(club) == [] and actions(club).count("withdraw") == 1
