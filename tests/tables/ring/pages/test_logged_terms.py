"""The log of the admin names each changed term of rake tables and jackpots with its values."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from accounts.models import User
from tables.ring.models import Jackpot, RakeTable

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client: Client) -> Client:
    """Client of an operator with all rights."""
    client.force_login(User.objects.create_superuser(name="Boss", password="x" * 12))
    return client


def told() -> str:
    """Return the newest entry of the log."""
    return LogEntry.objects.latest("pk").get_change_message()


def row(**typed: object) -> dict[str, str]:
    """Fields of a row of a rake table as a person types them."""
    fields = {
        "id": "",
        "table": "",
        "players_min": "2",
        "players_max": "10",
        "small_blind_over": "",
        "small_blind_upto": "",
        "minimum": "",
    }
    return {name: str(value) for name, value in (fields | typed).items()}


def rows(*typed: dict[str, str], kept: int) -> dict[str, str]:
    """Return the form of a rake table with these rows, of which so many are stored."""
    form = {"name": "House", "rows-TOTAL_FORMS": str(len(typed)), "rows-INITIAL_FORMS": str(kept)}
    for number, one in enumerate(typed):
        form |= {f"rows-{number}-{name}": value for name, value in one.items()}
    return form


@pytest.mark.rule("R-02")
def test_the_log_of_a_rake_table_names_old_and_new_values(operator: Client) -> None:
    table = RakeTable.objects.create(name="House")
    kept = table.rows.create(basis_points=250, maximum=300, minimum=0)
    page = f"/admin/ring/raketable/{table.pk}/change/"
    same = row(id=kept.pk, table=table.pk, basis_points="2.50", minimum="0.00")
    raised = rows(same | {"maximum": "4"}, kept=1)
    assert operator.post(page, raised).status_code == 302
    assert told() == f"row {kept.pk}: maximum: 3.00 -> 4"
    gone = same | {"maximum": "4", "DELETE": "on"}
    new = row(basis_points="1", maximum="2")
    assert operator.post(page, rows(gone, new, kept=1)).status_code == 302
    deleted, added = told().split("; ")
    assert deleted.startswith("deleted: ") and "maximum 4.00" in deleted
    assert added.startswith("added: ") and "basis_points 1" in added


@pytest.mark.rule("J-01")
def test_the_log_of_a_jackpot_names_old_and_new_values(operator: Client) -> None:
    jackpot = Jackpot.objects.get(kind="monte_carlo")
    page = f"/admin/ring/jackpot/{jackpot.pk}/change/"
    form = operator.get(page).context["adminform"].form
    typed = {name: form[name].value() for name in form.fields}
    typed = {name: value for name, value in typed.items() if value not in (None, False)}
    values = {
        name: form.fields[name].prepare_value(value)
        for name, value in typed.items()
        if name != "feed"
    }
    assert operator.post(page, values | {"feed": "9"}).status_code == 302
    assert told() == "feed: 10.00 -> 9", told()
