"""Managers' pages of a club's ring games: opening one, running it, its players."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import Club, User
from accounts.pages.clubs.access import attempt, club_page, manager, refuse
from config.inputs.numbers import whole
from config.refusals import Refusal
from tables.ring.admin.games import RingGameForm
from tables.ring.models import RingGame, RingSession
from tables.ring.models.session import LIVE
from tables.ring.pages.steps import CLUB_STEPS
from tables.ring.queries import lobby, terms
from tables.ring.sessions import audit, club_games
from tables.ring.sessions.operating import TIMES

OF_THE_ROOM = ("jackpots", "entry_level", "rapid", "pool_min", "wait_ms")
"""Options that a club's game does not have."""
_BASICS = (
    *("name", "watched_by", "variant", "limit", "small_blind", "big_blind"),
    *("buy_in_min", "buy_in_max", "seats_max", "tables_max"),
)
_GROUPS: dict[Any, tuple[str, ...]] = {
    gettext_lazy("Ante, stud and limits"): (
        *("ante", "ante_kind", "bring_in", "small_bet", "big_bet"),
    ),
    gettext_lazy("Rake"): ("rake_table", "no_flop_no_drop", "rake_per_street"),
    gettext_lazy("Options"): (
        *("straddle", "face_up", "s0_order", "button_by_lot", "muck_secret"),
        *("password", "tables_min"),
    ),
    gettext_lazy("Times"): TIMES,
}


class ClubRingGameForm(RingGameForm):
    """Terms of a club's ring game: those of the room's form, without promises of the room."""

    watched_by = forms.ChoiceField(
        label=gettext_lazy("Watched by"),
        choices=RingGame.WatchedBy.choices,
        initial=RingGame.WatchedBy.MEMBERS,
        help_text=gettext_lazy("Only members sit down."),
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)
        self.club = club
        for name in OF_THE_ROOM:
            del self.fields[name]

    @property
    def basics(self) -> list[forms.BoundField]:
        """Return the fields that every game needs."""
        return [self[name] for name in _BASICS]

    @property
    def groups(self) -> list[tuple[Promise, list[forms.BoundField], bool]]:
        """Return all other fields by topic; a topic with an error is unfolded."""
        named = [
            (words, [self[name] for name in names if name in self.fields])
            for words, names in _GROUPS.items()
        ]
        return [(words, fields, any(one.errors for one in fields)) for words, fields in named]

    def draft(self) -> RingGame:
        """Return the typed game of the club, unsaved."""
        game = super().draft()
        game.club = self.club
        return game


@manager
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Show the form (GET), then open the game with its tables (POST)."""
    form = ClubRingGameForm(club, request.POST or None, instance=RingGame())
    if request.method == "POST" and form.is_valid():
        try:
            game = club_games.open_club_game(club, user, **form.cleaned_data)
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            return redirect("club_ring", club.slug, game.pk)
    return club_page(request, "clubs/ring_new.html", club, form=form)


@manager
@require_GET
def game(request: HttpRequest, club: Club, user: User, game: int) -> HttpResponse:
    """Show a game of the club with its steps and players."""
    return _page(request, club, _own(club, game))


@manager
@require_POST
def step(request: HttpRequest, club: Club, user: User, game: int, step: str) -> HttpResponse:
    """Take a step, with its reason: one for the game, or `kick` for the player of `session`."""
    found = _own(club, game)
    reason = request.POST.get("reason", "")
    act: Callable[[], object]
    if step == "kick":
        session = whole(request.POST.get("session", "")) or 0
        act = partial(club_games.kick, club, user, found.pk, session, reason)
        done = _("The player leaves after this hand.")
    elif step in club_games.STEPS:
        act = partial(club_games.take_step, club, user, found.pk, step, reason)
        done = str(CLUB_STEPS[step].done)
    else:
        raise Http404
    attempt(request, act, done)
    return redirect("club_ring", club.slug, found.pk)


def _own(club: Club, pk: int) -> RingGame:
    return get_object_or_404(RingGame.objects.select_related("club"), pk=pk, club=club)


def _page(request: HttpRequest, club: Club, found: RingGame) -> HttpResponse:
    sessions = RingSession.objects.filter(game=found, state__in=LIVE)
    is_open = found.state == RingGame.State.OPEN
    context = {
        "game": found,
        "row": lobby.row(found, None),
        "terms": terms.terms(found),
        "steps": [
            (name, words)
            for name, words in CLUB_STEPS.items()
            if is_open and name != ("freeze" if found.frozen else "unfreeze")
        ],
        "sessions": sessions.select_related("table").order_by("table__number", "seat"),
        "reason_max": audit.REASON_MAX,
    }
    return club_page(request, "clubs/ring_game.html", club, **context)
