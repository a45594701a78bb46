"""Terms of a ring game that do not contradict each other (R-01, B-01..B-04, D-01, H-09, J-01)."""

from __future__ import annotations

from collections.abc import Iterable

from config.refusals import RuleRefusal
from config.refusals import marked as _
from tables.engine.events import Stakes
from tables.engine.variants import VARIANTS
from tables.ring.engine.jackpot_hands import has_jackpots
from tables.ring.engine.refusals import ChipsRefused


def check_game(
    variant: str,
    limit: str,
    stakes: Stakes,
    *,
    seats: int,
    buy_in: tuple[int, int],
    tables: tuple[int, int],
    straddle: bool,
) -> None:
    """Refuse terms that contradict each other; pairs are the smallest and the largest.

    Raises RuleRefusal.
    """
    game = VARIANTS.get(variant)
    if game is None:
        raise RuleRefusal("no_game", _("There is no game of that name."))
    if limit not in game.limits:
        raise RuleRefusal("no_limit_of_game", _("That game is not played with this limit."))
    if not 2 <= seats <= game.seats_max:
        raise RuleRefusal(
            "seats_of_game",
            _("A table of this game has 2 to %(most)s seats."),
            least=2,
            most=game.seats_max,
        )
    _check_stakes(stakes, brings_in=game.brings_in)
    _check_bets(stakes, limit, brings_in=game.brings_in)
    if limit == "spread_limit" and stakes.upper_bet < stakes.lower_bet:
        raise RuleRefusal("bad_spread", _("The largest bet is at least the smallest."))
    if straddle and game.brings_in:
        raise RuleRefusal("no_straddle", _("A game without blinds has no straddle."))
    least, most = buy_in
    if not stakes.unit <= least <= most:
        raise RuleRefusal(
            "bad_buy_in",
            _("The smallest buy-in is at least one big blind and at most the largest."),
            least=stakes.unit,
        )
    if not 1 <= tables[0] <= tables[1]:
        raise RuleRefusal("bad_tables", _("The fewest tables are 1 or more, and not above most."))


def check_ranges(
    amounts: Iterable[int], times_ms: Iterable[int], *, amount_most: int, time_most_ms: int
) -> None:
    """Refuse amounts that no row holds and times that nobody waits; raises RuleRefusal."""
    if not all(amount <= amount_most for amount in amounts):
        raise ChipsRefused(
            "too_much_money",
            _("An amount is at most %(most)s."),
            most=amount_most,
        )
    if not all(0 <= time <= time_most_ms for time in times_ms):
        raise RuleRefusal(
            "too_long", _("A time is at most %(most)s hours."), most=time_most_ms // 3_600_000
        )


def check_counts(*, tables: int, pool_min: int, most: int) -> None:
    """Refuse more tables, or players before a pool begins, than a room has; raises RuleRefusal."""
    if max(tables, pool_min) > most:
        raise RuleRefusal(
            "too_many_tables", _("Tables and players are at most %(most)s."), most=most
        )


def check_action_time(action_ms: int, *, least_ms: int) -> None:
    """Refuse a clock too short to act (X-02); raises RuleRefusal."""
    if action_ms < least_ms:
        raise RuleRefusal(
            "too_short", _("The time to act is at least %(least)s ms."), least=least_ms
        )


def check_offer_time(offer_ms: int, *, least_ms: int) -> None:
    """Refuse offers of seats that nobody can take in time (R-01); raises RuleRefusal."""
    if offer_ms < least_ms:
        raise RuleRefusal(
            "offer_too_short",
            _("A seat is offered for at least %(least)s seconds."),
            field="offer_ms",
            least=least_ms // 1_000,
        )


def check_pool(*, players_min: int, wait_ms: int, wait_most_ms: int, straddle: bool) -> None:
    """Refuse terms that no rapid pool can have (R-03); raises RuleRefusal."""
    if straddle:
        raise RuleRefusal("pool_straddle", _("A rapid pool has no straddle."))
    if players_min < 2:
        raise RuleRefusal("pool_players", _("A rapid pool needs at least 2 players."))
    if wait_ms > wait_most_ms:
        raise RuleRefusal(
            "pool_wait",
            _("Players of a rapid pool wait at most %(most)s ms for a full hand."),
            most=wait_most_ms,
        )


def check_jackpots(variant: str, *, jackpots: int) -> None:
    """Refuse jackpots in a game that can never win one (J-01); raises RuleRefusal."""
    if jackpots and not has_jackpots(variant):
        raise RuleRefusal(
            "no_jackpot_of_game",
            _("A jackpot needs five community cards: this game cannot win one."),
            field="jackpots",
        )


def check_club_game(
    *, rapid: bool, jackpots: int, entry_level: bool, tables: int, tables_most: int
) -> None:
    """Refuse terms that no game of a club can have; raises RuleRefusal.

    Jackpots and credit are promises of the room. A pool needs more players than a club has.
    """
    if rapid:
        raise RuleRefusal("club_pool", _("A club has no rapid pool."), field="rapid")
    if jackpots:
        raise RuleRefusal("club_jackpot", _("A club's game has no jackpot."), field="jackpots")
    if entry_level:
        raise RuleRefusal(
            "club_credit", _("A club's game gives no credit of the room."), field="entry_level"
        )
    if tables > tables_most:
        raise RuleRefusal(
            "club_tables",
            _("A club's game has at most %(most)s tables."),
            field="tables_max",
            most=tables_most,
        )


def _check_stakes(stakes: Stakes, *, brings_in: bool) -> None:
    amounts = (stakes.small_blind, stakes.ante, stakes.bring_in, stakes.small_bet, stakes.big_bet)
    if min(amounts) < 0 or stakes.big_blind < stakes.small_blind:
        raise RuleRefusal("bad_blinds", _("Blinds and bets are positive, the big blind larger."))
    if brings_in and not (0 < stakes.bring_in <= stakes.small_bet and not stakes.big_blind):
        raise RuleRefusal("needs_bring_in", _("Stud needs a bring-in and a small bet, no blinds."))
    if not brings_in and stakes.small_blind < 1:
        raise RuleRefusal("needs_blinds", _("This game needs blinds."))
    if not brings_in and stakes.bring_in:
        raise RuleRefusal("bad_bring_in", _("Only stud has a bring-in."))
    if (stakes.ante_kind == "none") != (stakes.ante == 0):
        raise RuleRefusal("bad_ante", _("An ante has an amount and a payer."))
    if brings_in and stakes.ante_kind == "big_blind":
        raise RuleRefusal("bad_ante", _("In stud each seat pays the ante: there is no big blind."))
    if brings_in and not stakes.ante:
        raise RuleRefusal("needs_ante", _("A game of stud has an ante."))


def _check_bets(stakes: Stakes, limit: str, *, brings_in: bool) -> None:
    """Refuse a least bet other than the big blind, and falling bets (B-01..B-03)."""
    own_least = stakes.small_bet not in (0, stakes.big_blind)
    if own_least and not brings_in and limit != "spread_limit":
        raise RuleRefusal(
            "bad_small_bet",
            _("The least bet is the big blind, but in spread limit: leave the small bet empty."),
        )
    if limit == "fixed_limit" and stakes.upper_bet < stakes.lower_bet:
        raise RuleRefusal("bad_big_bet", _("In fixed limit the big bet is at least the small one."))
