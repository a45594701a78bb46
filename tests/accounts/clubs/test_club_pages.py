"""Pages of clubs: each admits its people, and errors stand beside their field."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.clubs import invitations, members, requests
from accounts.models import Club, ClubAnnouncement, ClubRole, InvitationLink, Membership, User
from config import limits
from tests.accounts.browsers import browser
from tests.accounts.clubs.cast import club_of, join, link_of, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    return person("anna")


@pytest.fixture
def club(anna: User) -> Club:
    return club_of(anna, description="<script>alert(1)</script> & more")


def text(answer: HttpResponseBase) -> str:
    assert isinstance(answer, HttpResponse)
    return answer.content.decode()


OPEN, MEMBERS, MANAGERS = 0, 1, 2
PAGES = {
    "clubs": OPEN,
    "club": OPEN,
    "club_members": MEMBERS,
    "club_leave": MEMBERS,
    "club_person": MANAGERS,
    "club_edit": MANAGERS,
    "club_manage": MANAGERS,
}
POSTS = ("club_invite", "club_revoke", "club_answer", "club_announce", "club_withdraw")
RANKS = {
    "nobody": -1,
    "outsider": 0,
    "manager of another": 0,
    "member": 1,
    "manager": 2,
    "owner": 2,
}


def people(club: Club, anna: User) -> dict[str, User | None]:
    other = person("other")
    club_of(other, "Turn Toads")
    return {
        "nobody": None,
        "outsider": person("stan"),
        "manager of another": other,
        "member": join(club, anna, "bert"),
        "manager": join(club, anna, "cleo", ClubRole.MANAGER),
        "owner": anna,
    }


def address(name: str, club: Club, pk: int) -> str:
    several = ("club_person", "club_revoke", "club_answer", "club_withdraw")
    if name == "clubs":
        return reverse(name)
    return reverse(name, args=[club.slug, pk] if name in several else [club.slug])


def test_each_page_admits_its_people_and_is_missing_for_others(club: Club, anna: User) -> None:
    everybody = people(club, anna)
    subject = everybody["member"]
    assert subject is not None
    for role, user in everybody.items():
        looking = browser(user)
        for name, least in PAGES.items():
            status = looking.get(address(name, club, subject.pk)).status_code
            if least == OPEN or RANKS[role] >= least:
                assert status == 200, (role, name)
            else:
                assert status == (302 if user is None else 404), (role, name)
        if RANKS[role] < MANAGERS:
            before = list(Membership.objects.values()), list(InvitationLink.objects.values())
            for name in POSTS:
                given = {"uses": 1, "days": 1, "answer": "accept", "text": "Hello"}
                status = looking.post(address(name, club, 1), given).status_code
                assert status == (302 if user is None else 404), (role, name)
            promoting = looking.post(address("club_person", club, subject.pk), {"step": "owner"})
            assert promoting.status_code == (302 if user is None else 404)
            after = list(Membership.objects.values()), list(InvitationLink.objects.values())
            assert after == before and not ClubAnnouncement.objects.exists()


def test_markup_is_shown_as_text(club: Club, anna: User) -> None:
    looking = browser(anna)
    posted = looking.post(
        reverse("club_announce", args=[club.slug]),
        {"text": "<img src=x onerror=alert(1)>", "token": "a" * 22},
    )
    assert posted.status_code == 302
    asker = person("stan")
    requests.ask(club, asker, "<b>me</b>")
    for name in ("club", "clubs", "club_manage", "club_edit"):
        page = text(looking.get(address(name, club, 0)))
        for markup in ("<script>alert", "<img src=x", "<b>me</b>"):
            assert markup not in page, name
    assert "&lt;img src=x" in text(looking.get(address("club", club, 0)))


def test_a_club_is_made_and_its_errors_stand_beside_the_field(anna: User) -> None:
    looking = browser(anna)
    typed = {"name": "River Rats", "colour": "#112233", "second_colour": "#445566"}
    assert looking.post("/clubs/new/", typed)["Location"] == "/clubs/river-rats/"
    again = text(looking.post("/clubs/new/", typed))
    beside = r'id="id_name_error"><li>Another club has this name'
    assert re.search(beside, again)
    assert 'value="River Rats"' in again, "typed values stay"
    wrong = text(looking.post("/clubs/new/", typed | {"name": "Other", "colour": "javascript:"}))
    assert 'id="id_colour_error"' in wrong
    assert Club.objects.count() == 1


def test_the_list_of_clubs_counts_the_members_of_its_page_alone(club: Club, anna: User) -> None:
    join(club, anna, "bert")
    club_of(person("otto"), "Turn Toads")
    with CaptureQueriesContext(connection) as seen:
        page = text(browser(person("stan")).get("/clubs/"))
    counts = re.findall(r'data-label="Members">(\d+)<', page)
    assert counts == ["2", "1"]
    assert not any('JOIN "accounts_membership"' in query["sql"] for query in seen)


def test_a_page_after_a_form_asked_for_anew_leads_to_the_forms(club: Club, anna: User) -> None:
    looking, managing = browser(anna), reverse("club_manage", args=[club.slug])
    for name, given in (("club_invite", {"uses": 0}), ("club_announce", {"text": ""})):
        page = f"http://testserver{reverse(name, args=[club.slug])}"
        assert looking.post(page, given).status_code == 200
        # The switch of the language leads back to the address of the page.
        back = looking.post("/i18n/setlang/", {"language": "de"}, headers={"Referer": page})
        assert back["Location"] == page and looking.get(page)["Location"] == managing


def test_a_link_is_shown_once_and_leads_in(club: Club, anna: User) -> None:
    looking = browser(anna)
    invite = reverse("club_invite", args=[club.slug])
    wrong = text(looking.post(invite, {"uses": 0, "days": 7}))
    assert "A link is used 1 to 500 times." in wrong and not InvitationLink.objects.exists()
    page = text(looking.post(invite, {"uses": 1, "days": 7}))
    [link] = re.findall(r'value="http://testserver(/clubs/join/\w+/)"', page)
    assert link not in text(looking.get(reverse("club_manage", args=[club.slug])))
    visitor = text(Client().get(link))
    assert club.name in visitor and f"/accounts/signup/?next={link}" in visitor
    assert Client().post(link).status_code == 200 and club.memberships.count() == 1
    bert, cleo = browser(person("bert")), browser(person("cleo"))
    assert "Join the club" in text(bert.get(link))
    joined = bert.post(link, follow=True)
    assert "Welcome to River Rats." in text(joined)
    assert bert.get(link).status_code == 302, "a member is led to the club"
    late = cleo.post(link)
    assert late.status_code == 409 and "as often as it may" in text(late)
    guessed = cleo.get("/clubs/join/0123/")
    assert guessed.status_code == 404 and "There is no such invitation." in text(guessed)
    assert club.memberships.count() == 2


def test_a_visitor_signs_up_and_joins_by_the_same_invitation(club: Club, anna: User) -> None:
    link = reverse("club_join", args=[link_of(club, anna)])
    visitor = Client()
    signup = re.search(r'href="(/accounts/signup/[^"]+)"', text(visitor.get(link)))
    assert signup is not None
    typed = {"name": "newcomer", "password": "three blind mice", "next": link}
    assert visitor.post(signup[1], typed)["Location"] == link
    assert visitor.post(link)["Location"] == reverse("club", args=[club.slug])
    assert club.memberships.filter(user__name="newcomer").exists()


def test_a_request_is_asked_and_answered(club: Club, anna: User) -> None:
    bert = browser(person("bert"))
    page = reverse("club", args=[club.slug])
    assert "Ask to join" in text(bert.get(page))
    ask = reverse("club_ask", args=[club.slug])
    assert "id_text_error" in text(bert.post(ask, {"text": "a\u202eb"}))
    assert bert.post(ask, {"text": "Me"}).status_code == 302
    assert "You asked to join" in text(bert.get(page))
    assert "You have asked this club already." in text(bert.post(ask, {"text": "Me"}))
    manager = browser(anna)
    [asked] = requests.open_requests(club)
    answer = reverse("club_answer", args=[club.slug, asked.pk])
    assert manager.post(answer, {"answer": "maybe"}).status_code == 404
    manager.post(answer, {"answer": "accept"})
    assert "Announcements" in text(bert.get(page))
    told = text(manager.post(answer, {"answer": "refuse"}, follow=True))
    assert "This request was answered already." in told and club.memberships.count() == 2


def test_a_request_is_taken_back_and_no_longer_counts(
    club: Club, anna: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CLUB_REQUESTS_OPEN_MAX", 1)
    other, bert = club_of(anna, "Turn Toads"), person("bert")
    page, ask = (reverse(name, args=[club.slug]) for name in ("club", "club_ask"))
    looking = browser(bert)
    looking.post(ask, {"text": "Me"})
    assert 'value="withdraw"' in text(looking.get(page)) and requests.count_open(club) == 1
    there = reverse("club_ask", args=[other.slug])
    assert "You cannot ask this club now." in text(looking.post(there, {"text": "Me"}))
    gone = looking.post(ask, {"step": "withdraw"}, follow=True)
    assert "You have taken your request back." in text(gone) and "Ask to join" in text(gone)
    assert requests.open_requests(club) == [] and requests.count_open(club) == 0
    again = looking.post(ask, {"step": "withdraw"}, follow=True)
    assert "This request was answered already." in text(again)
    assert looking.post(there, {"text": "Me"}).status_code == 302


def test_many_requests_are_shown_some_at_a_time(
    club: Club, anna: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CLUB_ROWS_PER_PAGE", 2)
    for name in ("bert", "cleo", "dora"):
        requests.ask(club, person(name))
    managing = text(browser(anna).get(reverse("club_manage", args=[club.slug])))
    assert "bert" in managing and "cleo" in managing and "dora" not in managing
    assert '<span class="badge mine">3</span>' in managing


def test_members_are_promoted_removed_and_leave(club: Club, anna: User) -> None:
    bert = join(club, anna, "bert")
    looking = browser(anna)
    page = reverse("club_person", args=[club.slug, bert.pk])
    looking.post(page, {"step": "manager"})
    assert club.memberships.get(user=bert).role == ClubRole.MANAGER
    assert looking.post(page, {"step": "king"}).status_code == 404
    assert "Manage" in text(browser(bert).get(reverse("club", args=[club.slug])))
    own = reverse("club_leave", args=[club.slug])
    kept = text(looking.post(own, follow=True))
    assert "A club keeps at least one owner" in kept
    looking.post(page, {"step": "remove"})
    assert list(club.memberships.values_list("user", flat=True)) == [anna.pk]
    invitations.join(bert, link_of(club, anna))
    members.change_role(club, anna, bert, ClubRole.OWNER)
    assert looking.post(own)["Location"] == "/clubs/"
    assert looking.get(reverse("club_members", args=[club.slug])).status_code == 404
