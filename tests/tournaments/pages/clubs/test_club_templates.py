"""Templates of a club: kept from its tournaments, used with all options, deleted; never others'."""

from __future__ import annotations

import pytest
from django.urls import reverse
from redis import Redis

from accounts.clubs.refusals import ClubRefused, NotForRole
from accounts.models import Club, ClubAuditRow, User
from config import limits
from config.refusals import Refusal
from tests.accounts.browsers import browser
from tests.tournaments.admin.forms import offer_form
from tests.tournaments.cast import offer, structure
from tests.tournaments.club_scene import club_offer, join, make_club, person, staff
from tournaments.models import ClubTemplate, Template, Tournament
from tournaments.models.structure import encoded
from tournaments.refusals import BadSpec, NoSuchTemplate, TooManyTemplates
from tournaments.running import club_templates


@pytest.fixture
def club(house: Redis) -> Club:
    return make_club()


@pytest.fixture
def manager(club: Club) -> User:
    return join(club, "Max", "manager")


def typed(club: Club, template: ClubTemplate, **fields: object) -> Tournament:
    """The tournament that a manager makes with the form of a template."""
    looking = browser(person("Max"))
    page = f"{reverse('club_offer', args=[club.slug])}?template={template.pk}"
    answer = looking.post(page, offer_form(watched_by="members", entered_by="members") | fields)
    assert answer.status_code == 302, answer.context["form"].errors
    return Tournament.objects.order_by("-pk")[0]


def test_a_manager_keeps_uses_and_deletes_a_template(club: Club, manager: User) -> None:
    made = club_offer(club, entered_by="invited", buy_in=777, rebuys_max=2, rebuy_until_level=3)
    looking, page = browser(manager), reverse("club_templates", args=[club.slug])
    cockpit = looking.get(reverse("cockpit", args=[made.pk])).content.decode()
    assert f"{page}?keep={made.pk}" in cockpit
    asked = looking.get(page, {"keep": made.pk}).content.decode()
    assert f'value="{made.name}"' in asked
    assert looking.post(page, {"name": " Friday ", "tournament": made.pk}).status_code == 302
    template = ClubTemplate.objects.get()
    assert (template.name, template.tournament, template.made_by) == ("Friday", made, manager)
    assert ClubAuditRow.objects.get(action="template").details["tournament"] == made.pk
    listed = looking.get(page).content.decode()
    form = f"{reverse('club_offer', args=[club.slug])}?template={template.pk}"
    assert "Friday" in listed and form in listed
    shown = looking.get(form).content.decode()
    assert 'value="Friday"' in shown and 'value="7.77"' in shown
    assert '<option value="invited" selected>' in shown
    delete = reverse("club_template_delete", args=[club.slug, template.pk])
    assert looking.get(delete).status_code == 405
    for _ in range(2):
        assert looking.post(delete).status_code == 302
    assert not ClubTemplate.objects.exists() and Tournament.objects.get() == made
    assert ClubAuditRow.objects.filter(action="template_off").count() == 1


def test_levels_and_password_of_the_source_stay(club: Club, manager: User) -> None:
    made = club_offer(club, password="rosebud")  # nosec B106
    Tournament.objects.filter(pk=made.pk).update(structure_name="3 hours")
    template = club_templates.keep(club, manager, made.pk, "Friday")
    again = typed(club, template, structure_row="", hours="", secret="")
    assert encoded(again.levels()) == encoded(made.levels()) and again.structure_name == "3 hours"
    assert again.password == made.password != ""
    opened = typed(club, template, structure_row="", hours="", secret="", open_to_all="on")
    assert opened.password == ""
    planned = typed(club, template, structure_row="", hours="2")
    assert encoded(planned.levels()) != encoded(made.levels())
    preview = reverse("club_offer_preview", args=[club.slug])
    given = offer_form(watched_by="members", entered_by="members", structure_row="", hours="")
    for query, complete in ((f"?like={made.pk}", True), ("", False)):
        shown = browser(manager).post(preview + query, given).content.decode()
        assert ("Choose a structure" not in shown) is complete


@pytest.mark.parametrize(
    ("name", "kind"),
    [("", BadSpec), ("  ", BadSpec), ("Fri\u202eday", ClubRefused), ("x" * 81, ClubRefused)],
)
def test_names_that_cannot_be_shown_are_refused(
    club: Club, manager: User, name: str, kind: type[Refusal]
) -> None:
    made = club_offer(club)
    with pytest.raises(kind) as refusal:
        club_templates.keep(club, manager, made.pk, name)
    assert refusal.value.field == "name"
    page = reverse("club_templates", args=[club.slug])
    answer = browser(manager).post(page, {"name": name, "tournament": made.pk})
    assert answer.status_code == 200 and answer.context["form"].errors
    assert not ClubTemplate.objects.exists()
    assert not ClubAuditRow.objects.filter(action="template").exists()


def test_a_name_stands_once_in_a_club_and_says_nothing_of_others(club: Club, manager: User) -> None:
    made, other = club_offer(club), make_club("Otto", "Turn Toads")
    club_templates.keep(other, person("Otto"), club_offer(other).pk, "Friday")
    Template.objects.create(name="Friday", structure=structure())
    club_templates.keep(club, manager, made.pk, "Friday")
    with pytest.raises(BadSpec) as refusal:
        club_templates.keep(club, manager, made.pk, "Friday")
    assert refusal.value.field == "name"
    for number in range(limits.CLUB_TEMPLATES_MAX - 1):
        club_templates.keep(club, manager, made.pk, f"Number {number}")
    with pytest.raises(TooManyTemplates):
        club_templates.keep(club, manager, made.pk, "One more")
    assert club.templates.count() == limits.CLUB_TEMPLATES_MAX


def test_managers_of_the_club_alone_keep_use_and_delete(club: Club, manager: User) -> None:
    made, of_the_room = club_offer(club), offer(name="Of the room")
    template = club_templates.keep(club, manager, made.pk, "Secret recipe")
    other = make_club("Otto", "Turn Toads")
    page = reverse("club_templates", args=[club.slug])
    delete = reverse("club_template_delete", args=[club.slug, template.pk])
    before = list(ClubAuditRow.objects.values())
    for user in (join(club, "Mia"), person("Stan"), person("Otto"), staff("Sam", "add_tournament")):
        looking = browser(user)
        given = {"name": "Mine", "tournament": made.pk}
        assert looking.get(page).status_code == looking.post(page, given).status_code == 404
        assert looking.post(delete).status_code == 404
        with pytest.raises(NotForRole):
            club_templates.keep(club, user, made.pk, "Mine")
        with pytest.raises(NotForRole):
            club_templates.delete(club, user, template.pk)
        with pytest.raises(NotForRole):
            club_templates.create(template, actor=user)
        assert template not in club_templates.managed_templates(user)
    otto = browser(person("Otto"))
    theirs = reverse("club_templates", args=[other.slug])
    for number in (made.pk, of_the_room.pk, 10**12, "x", ""):
        answer = otto.post(theirs, {"name": "Mine", "tournament": number})
        assert answer.status_code == 200 and answer.context["form"].errors
        assert "Secret" not in otto.get(theirs, {"keep": number}).content.decode()
        empty = otto.get(reverse("club_offer", args=[other.slug]), {"template": template.pk})
        assert "Secret" not in empty.content.decode()
    otto.post(reverse("club_template_delete", args=[other.slug, template.pk]))
    for step in (
        lambda: club_templates.keep(other, person("Otto"), made.pk, "Mine"),
        lambda: club_templates.delete(other, person("Otto"), template.pk),
    ):
        with pytest.raises(NoSuchTemplate):
            step()
    assert list(ClubTemplate.objects.all()) == [template]
    assert list(ClubAuditRow.objects.values())[: len(before)] == before
    assert template in club_templates.managed_templates(staff("Sid", "change_club"))
