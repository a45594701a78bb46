"""Terms of a ring game in words: buy-in, clocks, options and rake."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.money import text
from tables.ring.models import RakeTableRow, RingGame
from tables.ring.queries import words

MINUTE_MS = 60_000
SECOND_MS = 1_000


def terms(game: RingGame) -> list[tuple[str, str]]:
    """Return the terms as pairs of label and value, in the reader's language."""
    rows = [
        (_("Game"), words.game_name(game)),
        (_("Blinds") if game.big_blind else _("Bets"), words.stakes(game)),
        (_("Buy-in"), words.buy_in(game)),
        (_("Seats"), str(game.seats_max)),
        (_("Time to act"), span(game.action_ms)),
    ]
    if game.bring_in:
        rows.insert(2, (_("Bring-in"), text(game.bring_in)))
    if game.bank_ms:
        rows.append((_("Time bank"), span(game.bank_ms)))
    if game.disconnect_ms:
        rows.append((_("Extra time without a connection"), span(game.disconnect_ms)))
    rows.append((_("A seat is kept for"), span(game.sit_out_ms)))
    rows.append((_("Time to re-buy"), span(game.rebuy_ms)))
    rows.append((_("Stack to come back with within"), span(game.return_ms)))
    rows.append((_("Straddle"), _("yes") if game.straddle else _("no")))
    rows.append((_("All-in hands face up"), _("yes") if game.face_up else _("no")))
    if game.entry_level:
        rows.append((_("Entry level"), _("may be joined with an overdrawn account")))
    return rows


def rake(game: RingGame) -> list[tuple[str, str, str, str]]:
    """Return the rake rows that can apply to this game: players, percent, least, most."""
    if game.rake_table is None:
        return []
    fitting = [
        row
        for row in game.rake_table.rows.order_by("players_min", "small_blind_upto", "pk")
        if _fits(row, game)
    ]
    return [
        (
            _players(row),
            f"{row.basis_points / 100:g} %",
            text(row.minimum),
            text(row.maximum) if row.maximum else "–",
        )
        for row in fitting
    ]


def span(ms: int) -> str:
    """Return a time in whole minutes, else in seconds."""
    if ms and ms % MINUTE_MS == 0:
        minutes = ms // MINUTE_MS
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    seconds = ms // SECOND_MS
    return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}


def _fits(row: RakeTableRow, game: RingGame) -> bool:
    over, upto = row.small_blind_over, row.small_blind_upto
    return (
        row.variant in ("", game.variant)
        and row.currency in ("", game.currency)
        and row.limit in ("", game.limit)
        and game.small_blind > over
        and (upto is None or game.small_blind <= upto)
    )


def _players(row: RakeTableRow) -> str:
    least, most = row.players_min, row.players_max
    return f"{least}–{most}" if least != most else str(most)
