"""The tabs of a tournament's page and the values of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from django.core.paginator import Page, Paginator
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from tables.history.released import hands_of_game
from tables.history.void_hands import newest, void_hands
from tournaments.engine.chip_set import CHIP_SET, HAND_OUT, handed_out
from tournaments.models import Deal, Tournament
from tournaments.models.tournament import State
from tournaments.prizes import bounties, deal_field, named
from tournaments.queries import (
    bounty_ladder,
    chip_graph,
    end_screen,
    levels,
    overview,
    payouts,
    players,
    show,
)
from tournaments.queries.scene import Scene

PLAYERS_PER_PAGE = 100

TABS = {
    "results": _("Results"),
    "overview": _("Overview"),
    "players": _("Players"),
    "tables": _("Tables"),
    "chips": _("Chips"),
    "levels": _("Levels"),
    "payouts": _("Payouts"),
    "bounties": _("Bounties"),
    "rules": _("Rules"),
}


def tabs_of(tournament: Tournament) -> dict[str, Any]:
    """Return the page's tabs; the bounty ladder only with bounties (N-01)."""
    hidden = set() if bounties.offered(tournament) else {"bounties"}
    # An ended tournament shows its results first; they include its list of players.
    hidden.add("players" if tournament.state == State.FINISHED else "results")
    return {name: words for name, words in TABS.items() if name not in hidden}


def tab_context(tab: str, tournament: Tournament, user: User | None, page: str) -> dict[str, Any]:
    """Return the values of one tab's template, except the overview's."""
    if tab == "players":
        return _players(tournament, user, page)
    if tab == "results":
        shown = {"podium": end_screen.podium(tournament)}
        return shown | _players(tournament, user, page)
    if tab == "chips":
        # A tab of its own: it reads hundreds of hands, and the overview is requested often.
        return {"graph": chip_graph.graph(tournament, user)}
    if tab == "bounties":
        return {"ladder": _page(tournament, bounty_ladder.count, bounty_ladder.ladder, page)}
    read: dict[str, Callable[[], dict[str, Any]]] = {
        "tables": lambda: _tables(tournament),
        "levels": lambda: {
            "levels": levels.levels(tournament),
            "all_by_big_blind": levels.big_blind_pays_all(tournament),
            "chip_set": CHIP_SET if tournament.starting_stack in HAND_OUT else None,
            "hand_out": handed_out(tournament.starting_stack),
        },
        "payouts": lambda: _payouts(tournament, user),
        "rules": lambda: {"deal_kinds": _deal_kinds(tournament)},
    }
    return read[tab]()


def _deal_kinds(tournament: Tournament) -> str:
    """Return the allowed kinds of deals, in words (Y-02)."""
    return ", ".join(str(Deal.Kind(kind).label) for kind in deal_field.kinds(tournament))


def overview_context(
    tournament: Tournament, seen: Scene, user: User | None, *, entered: bool
) -> dict[str, Any]:
    """Return the values of the overview: what all see, with the part of a visitor that entered."""
    assert user is not None or not entered
    own = players.own(tournament, user) if user is not None and entered else []
    return {
        "overview": msgspec.structs.replace(seen.overview, me=own[0] if own else None),
        "won": named.won(tournament, user),
        "leaders": seen.leaders,
        "out": seen.out,
        "feed": seen.feed,
    }


def _tables(tournament: Tournament) -> dict[str, Any]:
    """Return the open tables, after the last one closed the closed ones, and the void hands."""
    tables = overview.tables(tournament)
    return {
        "tables": tables,
        "closed": [] if tables else overview.closed_tables(tournament),
        "featured": show.featured_table(tournament),
        "has_hands": hands_of_game("tournament", tournament.pk).exists(),
        "void": newest(void_hands("tournament", tournament.pk)),
    }


def _players(tournament: Tournament, user: User | None, page: str) -> dict[str, Any]:
    shown = _page(tournament, players.count, players.players, page)
    mine = players.own(tournament, user) if user else []
    there = {row.entry for row in shown}
    return {"players": shown, "pinned": [row for row in mine if row.entry not in there]}


def _page(
    tournament: Tournament, count: Callable[..., int], read: Callable[..., list[Any]], page: str
) -> Page[Any]:
    """Return one page of rows ranked by the database, without reading other rows."""
    shown = Paginator(range(count(tournament)), PLAYERS_PER_PAGE).get_page(page)
    first = (shown.number - 1) * PLAYERS_PER_PAGE
    shown.object_list = read(tournament, first=first, most=PLAYERS_PER_PAGE)
    return shown


def _payouts(tournament: Tournament, user: User | None) -> dict[str, Any]:
    shown = payouts.payouts(tournament)
    return {
        "payouts": shown.rows,
        "places_paid": shown.places,
        "prospect": shown.prospect,
        "named": named.rows(tournament),
        "won": named.won(tournament, user),
        "spin_rows": show.spin_rows(tournament),
    }
