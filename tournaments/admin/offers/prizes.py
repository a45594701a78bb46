"""Preview of an offer's prizes: by place for an expected field, before saving."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.http import HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _

from accounts import money
from tournaments.models import Tournament
from tournaments.prizes import pool as prizes
from tournaments.prizes import promises
from tournaments.queries import payouts
from tournaments.schedule import options

_PROBLEM = "<li><b>{}</b> {}</li>"


def fieldsets(names: Collection[str]) -> Any:
    """Group the options by topic; the expected field is shown with the prizes."""
    return tuple(
        (
            words,
            {
                "fields": (
                    *(name for name in group if name in names),
                    *(("planned",) if key == "prizes" else ()),
                )
            },
        )
        for key, (words, group) in options.GROUPS.items()
    )


def shown(form: Any) -> HttpResponse:
    """Render the prizes of a form, or its errors."""
    if not form.is_valid():
        return HttpResponse(problems(form))
    tournament = form.draft()
    planned = form.cleaned_data["planned"]
    fields = [planned] if planned else sorted({tournament.players_min, tournament.players_max})
    return HttpResponse("".join(table(tournament, entries) for entries in fields))


def problems(form: Any) -> str:
    """Render the errors of a form under the labels of its fields."""
    wrong = (
        (f"{form.fields[name].label}:" if name in form.fields else "", " ".join(errors))
        for name, errors in form.errors.items()
    )
    return format_html('<ul class="errorlist">{}</ul>', format_html_join("", _PROBLEM, wrong))


def table(tournament: Tournament, entries: int) -> str:
    """Render the prizes of a number of entries, without re-buys and add-ons."""
    paid = entries * tournament.buy_in
    pool = prizes.expected_pool(tournament, paid)
    amounts = prizes.amounts(tournament, entries, pool)
    rows = payouts.rows_of(tournament, amounts, pool)
    words = (
        _("%(entries)s entries: a pool of %(pool)s, of it %(room)s from the room.")
        if tournament.club_id is None
        else _("%(entries)s entries: a pool of %(pool)s, of it %(room)s from the club.")
    )
    facts = words % {
        "entries": entries,
        "pool": money.text(sum(amounts)),
        "room": money.text(max(0, sum(amounts) - paid)),
    }
    set_aside = _("Set aside at the opening: %(most)s") % {
        "most": money.text(promises.most(tournament))
    }
    return format_html(
        "<h3>{}</h3><p>{}</p><table><thead><tr><th>{}</th><th>{}</th><th>%</th></tr></thead>"
        "<tbody>{}</tbody></table>",
        *(facts, set_aside, _("Place"), _("Prize")),
        format_html_join(
            "",
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
            ((_places(row), money.text(row.prize), money.text(row.share_bp)) for row in rows),
        ),
    )


def _places(row: payouts.PayoutRow) -> str:
    return str(row.first) if row.first == row.last else f"{row.first}–{row.last}"
