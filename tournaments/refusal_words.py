"""Translated sentences for the refusals of the pure rules, which have codes only."""

from __future__ import annotations

from typing import Protocol

from django.utils.translation import gettext_lazy as _

from tournaments.engine.refusals import RuleRefusal

_STEP = _("This step is not possible in the state of the tournament.")
_BUYING = _("This format has no entries or chips to buy after the start.")

WORDS = {
    # structures
    "no_levels": _("A structure needs at least one level."),
    "too_many_levels": _("A structure has too many levels and breaks."),
    "break_outside": _("A break lies between two levels."),
    "amount_out_of_range": _("Blinds, antes and bets lie between 0 and 10^12."),
    "blinds_in_stud": _("A stud level has an ante and a bring-in, no blinds."),
    "bad_bring_in": _("A bring-in is of stud, at least 1 and at most the small bet."),
    "bad_big_bet": _("The big bet is at least the big blind, in stud the small bet."),
    "bad_spread": _("The most of a spread is at least the big blind, in stud the small bet."),
    "zero_level": _("Small and big blind of a level are at least 1."),
    "big_below_small": _("The big blind is at least the small blind."),
    "bad_ante": _("A level with an ante says who pays it; one without has none."),
    "two_lengths": _("A level lasts a time or a number of hands, not both."),
    "bad_length": _("A level or break lasts more than nothing and at most a day, or 10,000 hands."),
    "falling_blinds": _("Blinds and bets never fall from one level to the next."),
    "few_big_blinds": _("The starting stack is at least 10 big blinds of the first level."),
    "bad_structure": _("The levels cannot be read; amounts and times are whole numbers."),
    "plan_stack": _("A plan needs two players and stacks of 40 chips or more."),
    "plan_length": _("A plan is for 10 minutes to 48 hours."),
    # formats and entries
    "bad_field": _("A tournament has between 2 and %(players)s players."),
    "exact_players": _("This format has exactly %(players)s players."),
    "no_game": _("There is no game of that name. There are: %(variants)s."),
    "no_limit_of_game": _("That game is not played with this limit, but with: %(limits)s."),
    "seats_of_game": _("At most %(seats_max)s players sit at a table of this game."),
    "needs_stud_levels": _("Stud needs a structure with ante, bring-in and small bet."),
    "needs_blinds": _("This game needs a structure with blinds, not one of stud."),
    "stack_below_blind": _("The starting stack is at least one big blind."),
    "too_few_tables": _("%(tables)s tables have places for %(places)s players at most."),
    "bad_seats": _("A table has between 2 and 10 seats."),
    "late_sit_and_go": _("A Sit & Go has no late registration."),
    "bad_late_end": _("Late registration ends at a level, time or number above 0."),
    "reentry_after_first_out": _(
        "When registration ends with the first player out, there is no re-entry."
    ),
    "one_table": _("This format is played at a single table."),
    "odd_field": _("This format needs an even number of players."),
    "set_number": _("This format starts as soon as a set number is registered."),
    "no_buying": _BUYING,
    "no_time_limit": _("This format has its own ending; it takes no time limit."),
    "no_shootout": _("A shootout needs two players and two seats at a table."),
    "too_many_rounds": _("A shootout of so many players has too many rounds."),
    "already_registered": _("You are registered for this tournament already."),
    "registration_closed": _("Registration for this tournament is not open."),
    "no_more_entries": _("You have used all your entries."),
    "rebuys_closed": _("The re-buy period is over."),
    "no_more_rebuys": _("You have used all your re-buys."),
    "too_many_chips": _("You have too many chips to buy again."),
    # what contradicts itself
    "own_end_no_deals": _("This format has its own ending; there is nothing to deal about."),
    "own_end": _("This format has an end of its own: its play time is not limited."),
    "spin_pool_is_drawn": _("The pool of a spin is drawn: nothing can be added to it."),
    "spin_without_buy_in": _("A spin has a buy-in: its pool is a multiple of it."),
    "double_pays_double": _("Double or nothing pays twice the buy-in: nothing can be added to it."),
    "no_entries": _("Every player has at least one entry."),
    "several_of_one": _("Several entries at once need more than one entry per player."),
    "reentry_without_late": _("Re-entry needs late registration."),
    "nothing_merges": _("Only several entries at once can merge."),
    "rebuys_without_end": _("Re-buys need the last level they are sold in."),
    "add_on_without_rebuys": _("An add-on is sold at the end of a re-buy period: there is none."),
    "progressive_without_bounty": _("A progressive bounty needs a bounty."),
    "cash_one_to_one": _(
        "Chips with cash value are bought one to one: buy-in and stack are the same."
    ),
    "cash_own_end": _(
        "Chips with cash value are played in a freezeout or heads-up without a time limit."
    ),
    "cash_bought_once": _("Chips with cash value are bought once, at the start."),
    "cash_no_bounty": _("Chips with cash value are all that is paid: there are no bounties."),
    "cash_pool_is_chips": _(
        "The pool of chips with cash value is the chips: nothing can be added to it."
    ),
    "cash_no_deals": _("Who has chips with cash value leaves with them: there are no deals."),
    "cash_winner_takes_all": _(
        "With chips of cash value who is left has the rest: winner takes all."
    ),
    # prizes
    "no_rows": _("A payout table needs at least one row."),
    "bad_row": _("A row looks like this: 4-9: 70 30"),
    "rows_with_gaps": _("The rows follow each other without gap or overlap."),
    "not_100_percent": _("The shares of every row add up to exactly 100 %."),
    "rising_shares": _("A better place never gets less than a worse one."),
    "more_prizes_than_players": _("A row pays no more places than players."),
    "bad_odds": _("Multipliers and their odds are above zero."),
    "odds_not_whole": _("The odds add up to exactly 100,000."),
    "split_not_100_percent": _("The split of a spin adds up to 100 % for three at most."),
    "unknown_deal": _("A deal shares equally, by chips, or by ICM."),
    "nothing_to_deal": _("There is nothing left that could be shared."),
    # tickets
    "worthless_ticket": _("A ticket is worth something."),
    "no_tickets": _("This tournament takes no tickets."),
    "no_price": _("This tournament costs nothing: it takes no tickets."),
    "tickets_only": _("This tournament can only be entered with a ticket."),
    "other_scope": _("This ticket is for other tournaments."),
    "ticket_too_small": _("This ticket does not cover the price."),
    "not_exchangeable": _("This ticket cannot be exchanged for money."),
    "foreign_ticket": _("This ticket belongs to somebody else."),
    "ticket_gone": _("This ticket was used or is no longer valid."),
    "ticket_too_early": _("This ticket is not valid yet."),
    "ticket_expired": _("This ticket has expired."),
    # steps
    **{
        f"cannot_{step}": _STEP
        for step in ("open", "start", "pause", "resume", "freeze", "thaw", "finish", "cancel")
    },
}
"""Translated sentence of every refusal code of the pure rules."""


_LEVELS = (
    *("no_levels", "too_many_levels", "break_outside", "amount_out_of_range", "blinds_in_stud"),
    *("bad_bring_in", "bad_big_bet", "bad_spread", "zero_level", "big_below_small", "bad_ante"),
    *("two_lengths", "bad_length", "falling_blinds", "bad_structure"),
)
_ROWS = ("no_rows", "bad_row", "rows_with_gaps", "rising_shares", "more_prizes_than_players")

FIELDS = {
    **dict.fromkeys(_LEVELS, "structure"),
    **dict.fromkeys(_ROWS, "payout_table"),
    "bad_field": "players_max",
    "exact_players": "players_max",
    "bad_seats": "seats_per_table",
    "late_sit_and_go": "late_ends",
    "bad_late_end": "late_value",
    "reentry_after_first_out": "entries_max",
    "one_table": "players_max",
    "odd_field": "players_max",
    "set_number": "players_min",
    "no_buying": "format",
    "own_end_no_deals": "deals_allowed",
    "no_time_limit": "play_time_ms",
    "no_shootout": "players_max",
    "too_many_rounds": "players_max",
    "bad_odds": "spin_odds",
    "odds_not_whole": "spin_odds",
    "split_not_100_percent": "spin_splits",
    "not_100_percent": "payout_table",
}
"""Option of each refusal code that does not name one itself."""


class AnyRefusal(Protocol):
    """Any refusal of a request: a code and a message."""

    code: str
    message: str


def refused(refusal: AnyRefusal) -> str:
    """Return the sentence of a refusal in the reader's language."""
    if not isinstance(refusal, RuleRefusal):
        return refusal.message
    values = {
        name: ", ".join(value) if isinstance(value, list) else value
        for name, value in refusal.allowed.items()
    }
    words = str(WORDS.get(refusal.code, refusal.message))
    words = words % values if values and "%(" in words else words
    # The decoder's message names the position at which the structure is invalid.
    return f"{words} ({refusal.message})" if refusal.code == "bad_structure" else words


def field_of(refusal: AnyRefusal) -> str:
    """Return the option a refusal is about, or ""."""
    allowed = getattr(refusal, "allowed", {})
    return str(allowed.get("field") or FIELDS.get(refusal.code, ""))


def line(refusal: AnyRefusal) -> str:
    """Return a refusal as one line: the option, then the sentence."""
    field, words = field_of(refusal), refused(refusal)
    return f"{field}: {words}" if field else words
