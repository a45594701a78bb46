"""Admin of ring games: open one, open tables, close after the hand, freeze (R-01)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet, prefetch_related_objects
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import money
from accounts.admin.read_only import ReadOnly
from accounts.admin.units import UnitField
from accounts.refusals import words_of
from config import limits
from config.admin_site import DeclaredLookups
from config.refusals import Refusal
from tables.ring.admin.reasons import ReasonActionForm, each, operator
from tables.ring.admin.shown import in_words, labels_of
from tables.ring.models import RingGame
from tables.ring.queries import lobby, words
from tables.ring.sessions import operating
from tables.templatetags.games import GAMES, LIMITS

_MONEY = ("small_blind", "big_blind", "ante", "bring_in", "small_bet", "big_bet")
_BUY_IN = ("buy_in_min", "buy_in_max")


class RingGameForm(forms.ModelForm[RingGame]):
    """Terms of a new ring game: money in units, times in seconds."""

    variant = forms.ChoiceField(label=_("Game"), choices=list(GAMES.items()), initial="holdem")
    limit = forms.ChoiceField(label=_("Limit"), choices=list(LIMITS.items()), initial="no_limit")
    password = forms.CharField(
        label=_("Password"),
        required=False,
        strip=False,
        max_length=limits.PASSWORD_MAX_CHARACTERS,
        help_text=_("Empty: the game is open to all."),
    )

    class Meta:
        model = RingGame
        fields = (
            *("name", "variant", "limit", *_MONEY, "ante_kind", "seats_max", *_BUY_IN),
            *("rake_table", "no_flop_no_drop", "rake_per_street", "jackpots", "straddle"),
            *("face_up", "s0_order", "button_by_lot", "muck_secret", "entry_level", "password"),
            *("tables_min", "tables_max"),
            *("rapid", "pool_min"),
            *operating.TIMES,
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            return  # all fields of a game in play are read-only
        for name in (*_MONEY, *_BUY_IN):
            self.fields[name] = UnitField(
                label=self.fields[name].label,
                scale=100,
                places=2,
                empty=None if name in _BUY_IN else 0,
                min_value=0,
                required=False,
            )
        for name, big_blinds in zip(_BUY_IN, operating.USUAL_BUY_IN_BB, strict=True):
            words = gettext("Empty: %(count)s big blinds.")
            self.fields[name].help_text = words % {"count": big_blinds}
        for name in operating.TIMES:
            self.fields[name] = UnitField(
                label=self.fields[name].label,
                scale=1_000,
                places=3,
                min_value=0,
                help_text=_("in seconds"),
            )

    def clean(self) -> dict[str, Any]:
        """Refuse terms that contradict each other."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        given["buy_in_min"], given["buy_in_max"] = operating.usual_buy_in(
            self.draft().stakes.unit, given["buy_in_min"], given["buy_in_max"]
        )
        try:
            operating.check_terms(self.draft(), given.get("jackpots", ()))
        except Refusal as refusal:
            raise forms.ValidationError(words_of(refusal), code=refusal.code) from refusal
        return given

    def draft(self) -> RingGame:
        """Return the typed game, unsaved and without its jackpots."""
        terms = {name: value for name, value in self.cleaned_data.items() if name != "jackpots"}
        return RingGame(**terms)

    def _post_clean(self) -> None:
        """Leave the row to the function that opens the game."""

    def save_m2m(self) -> None:
        """Leave the jackpots to the function that opens the game."""


_PLAYED = in_words(
    (
        *(name for name in RingGameForm.Meta.fields if name != "password"),
        *("club", "watched_by", "state", "frozen"),
    ),
    amounts=labels_of(RingGame, (*_MONEY, *_BUY_IN)),
    times=labels_of(RingGame, operating.TIMES),
)
"""Fields of the page of a game in play."""


@admin.register(RingGame)
class RingGameAdmin(ReadOnly, DeclaredLookups[RingGame]):
    """Ring games; the terms of one in play are never changed."""

    form = RingGameForm
    list_display = (
        *("id", "name", "game", "stakes", "buy_in", "rapid", "state", "frozen"),
        *("open_tables", "players", "waiting_text", "average_pot", "pace"),
    )
    list_filter = ("state", "frozen", "rapid")
    search_fields = ("=id", "name", "=club__name")
    ordering = ("-id",)
    actions = ("open_one_more", "close_after_hand", "freeze", "unfreeze")
    action_form = ReasonActionForm

    def with_live_facts(self, rows: Any) -> list[RingGame]:
        """Give each game the row that the lobby shows of it, as `live`."""
        games = list(rows)
        prefetch_related_objects(games, "jackpots")
        for game, row in zip(games, lobby.rows_of(games, None), strict=True):
            game.live = row
        return games

    @admin.display(description=_("tables"))
    def open_tables(self, row: Any) -> int:
        """Return the number of open tables."""
        return int(row.live.tables)

    @admin.display(description=_("players"))
    def players(self, row: Any) -> int:
        """Return the number of players at the tables, or in the pool."""
        return int(row.live.players)

    @admin.display(description=_("waiting"))
    def waiting_text(self, row: Any) -> int:
        """Return the number of players on the waiting list."""
        return int(row.live.waiting)

    @admin.display(description=_("average pot"))
    def average_pot(self, row: Any) -> str:
        """Return the average pot of the last hands, in major units."""
        figures = row.live.figures
        return money.text(figures.average_pot) if figures.hands else "–"

    @admin.display(description=_("hands per hour"))
    def pace(self, row: Any) -> str:
        """Return the hands of an hour at a table, by those of the last hour."""
        return str(row.live.figures.hands_per_hour or "–")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may open ring games."""
        return request.user.has_perm("ring.add_ringgame")

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may freeze and close ring games."""
        return request.user.has_perm("ring.change_ringgame")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of the form; of an existing game all but the password, in words."""
        return RingGameForm.Meta.fields if obj is None else _PLAYED

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Make all fields of an existing game read-only."""
        return () if obj is None else _PLAYED

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Open the game with its tables."""
        given = dict(form.cleaned_data)
        kinds = tuple(jackpot.kind for jackpot in given.pop("jackpots"))
        obj.pk = operating.open_game(jackpots=kinds, **given).pk

    @admin.action(description=_("Open one more table"), permissions=["operate"])
    def open_one_more(self, request: HttpRequest, queryset: QuerySet[RingGame]) -> None:
        """Open one more table of each game, up to its most."""
        by, add = operator(request), operating.open_one_more
        done = gettext("has one more table")
        each(self, request, queryset, lambda row, why: add(by, row.pk, why), done)

    @admin.action(description=_("Close after this hand"), permissions=["operate"])
    def close_after_hand(self, request: HttpRequest, queryset: QuerySet[RingGame]) -> None:
        """Close games: all players leave with their stacks after the hand in play."""
        done = gettext("closes after this hand")
        by, close = operator(request), operating.close_after_hand
        each(self, request, queryset, lambda row, why: close(by, row.pk, why), done)

    @admin.action(description=_("Freeze after this hand"), permissions=["operate"])
    def freeze(self, request: HttpRequest, queryset: QuerySet[RingGame]) -> None:
        """Deal no more hands until the games go on."""
        done = gettext("frozen")
        by = operator(request)
        each(self, request, queryset, lambda row, why: operating.freeze(by, row.pk, why), done)

    @admin.action(description=_("Go on"), permissions=["operate"])
    def unfreeze(self, request: HttpRequest, queryset: QuerySet[RingGame]) -> None:
        """Deal again."""
        done = gettext("goes on")
        by = operator(request)
        each(self, request, queryset, lambda row, why: operating.unfreeze(by, row.pk, why), done)

    @admin.display(description=_("game"))
    def game(self, row: RingGame) -> str:
        """Return the game with its limit."""
        return words.game_name(row)

    @admin.display(description=_("stakes"))
    def stakes(self, row: RingGame) -> str:
        """Return the forced bets in major units."""
        return words.stakes(row)

    @admin.display(description=_("buy-in"))
    def buy_in(self, row: RingGame) -> str:
        """Return the limits of the buy-in in major units."""
        return words.buy_in(row)
