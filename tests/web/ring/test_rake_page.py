"""Rows of a rake table in the admin fit the screen of an organiser (R-02)."""

from __future__ import annotations

import pytest

from accounts.models import User
from tables.ring.models import RakeTable, RakeTableRow
from tests.tables.gateway.socket_site import site
from tests.web.visiting import Visit, visit

__all__ = ["site", "visit"]


@pytest.mark.rule("R-02")
def test_the_rows_of_a_rake_table_fit_the_width_of_1280_pixels(visit: Visit) -> None:
    table = RakeTable.objects.create(name="House")
    for limit in ("no_limit", "pot_limit", "fixed_limit"):
        RakeTableRow.objects.create(
            table=table,
            variant="omaha5_hilo",
            currency="EUR",
            limit=limit,
            basis_points=250,
            minimum=2,
            maximum=300,
        )
    boss = User.objects.create_superuser(name="Boss", password="x" * 12)
    page = visit(boss, f"/admin/ring/raketable/{table.pk}/change/")
    assert page.locator("#rows-group tr.has_original").count() == 3
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    box = page.locator("#id_rows-0-maximum").bounding_box()
    assert box is not None and box["x"] + box["width"] <= 1280


SUBMITTED_TWICE = """() => {
  let sent = 0;
  window.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) sent += 1;
    event.preventDefault();
  });
  const form = document.querySelector("#raketable_form");
  for (let time = 0; time < 2; time += 1) form.requestSubmit();
  return sent;
}"""


def test_a_form_of_the_admin_is_sent_once(visit: Visit) -> None:
    boss = User.objects.create_superuser(name="Boss", password="x" * 12)
    page = visit(boss, "/admin/ring/raketable/add/")
    page.locator("[name=name]").fill("House")
    assert page.evaluate(SUBMITTED_TWICE) == 1
