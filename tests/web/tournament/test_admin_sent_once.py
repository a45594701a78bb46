"""Steps and actions of the admin are sent once, also by a double click."""

from __future__ import annotations

from django.urls import reverse

from accounts.models import User
from tests.tables.gateway.socket_site import site
from tests.tournaments.admin.steps import step
from tests.tournaments.cast import open_offer
from tests.web.visiting import Visit, visit

__all__ = ["site", "visit"]

SUBMITTED = """async ([form, times]) => {
  let sent = 0;
  window.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) sent += 1;
    event.preventDefault();
  });
  for (const wait of times) {
    await new Promise((done) => setTimeout(done, wait));
    document.querySelector(form).requestSubmit();
  }
  return sent;
}"""


def boss() -> User:
    """Superuser of the admin."""
    return User.objects.create_superuser("Boss", "a long password")


def test_a_step_of_the_admin_is_sent_once(visit: Visit) -> None:
    page = visit(boss(), step("open", open_offer()))
    page.locator("[name=reason]").fill("because")
    assert page.evaluate(SUBMITTED, ["#content form", [0, 0, 2_200]]) == 1


def test_an_action_of_a_list_is_sent_once_for_a_double_click(visit: Visit) -> None:
    open_offer()
    page = visit(boss(), reverse("admin:tournaments_tournament_changelist"))
    assert page.evaluate(SUBMITTED, ["#changelist-form", [0, 0]]) == 1
    page.reload()
    again = page.evaluate(SUBMITTED, ["#changelist-form", [0, 2_200]])
    assert again == 2, "an action that downloads a file leaves the list as it is"
