"""Terms of a ring game in words: buy-in, clocks, options and rake."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.money import percent, text
from tables.ring.models import RingGame
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
    if game.ante and game.ante_kind == "big_blind":
        rows.append((_("Ante"), _("big blind pays")))
    if game.bank_ms:
        rows.append((_("Time bank"), span(game.bank_ms)))
    if game.disconnect_ms:
        rows.append((_("Extra time without a connection"), span(game.disconnect_ms)))
    if game.rapid:
        rows.append((_("Hands begin with"), _("%(n)s players in the pool") % {"n": game.pool_min}))
        rows.append((_("Longest wait for a full hand"), span(game.wait_ms)))
    kept = span(game.sit_out_ms) if game.sit_out_ms else _("without a limit")
    rows.append((_("A seat is kept for"), kept))
    rows.append((_("Time to re-buy"), span(game.rebuy_ms)))
    rows.append((_("Return only with the old stack within"), span(game.return_ms)))
    if not game.rapid:
        rows.append((_("Straddle"), _("yes") if game.straddle else _("no")))
    rows.append((_("All-in hands face up"), _("yes") if game.face_up else _("no")))
    if game.s0_order:
        rows.append((_("Rounds"), _("start left of the button; of two it posts the big blind")))
    if game.button_by_lot:
        rows.append((_("First button"), _("a fair lot")))
    if game.muck_secret:
        rows.append((_("Mucked hands"), _("stay secret")))
    if game.entry_level:
        rows.append((_("Entry level"), _("may be joined with an overdrawn account")))
    return rows


def rake(game: RingGame) -> list[tuple[str, str, str, str]]:
    """Return the rake by number of players dealt in: players, percent, least, most."""
    rows: list[tuple[str, str, str, str]] = []
    by_players = ((players, game.rake(players)) for players in range(2, game.seats_max + 1))
    for found, group in groupby(by_players, key=itemgetter(1)):
        if found is not None:
            numbers = [players for players, _rake in group]
            share = f"{percent(found.basis_points, 10_000)} %"
            rows.append((_span(numbers), share, text(found.minimum), text(found.maximum)))
    return rows


def span(ms: int) -> str:
    """Return a time in whole minutes, else in seconds."""
    if ms and ms % MINUTE_MS == 0:
        minutes = ms // MINUTE_MS
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    seconds = ms // SECOND_MS
    return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}


def _span(numbers: list[int]) -> str:
    return f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
