"""Refusals of tournaments to players and operators, each with a code and a sentence."""

from __future__ import annotations

from django.utils.translation import gettext as _

from accounts.money import text
from accounts.refusals import AccountRefusal
from config import limits
from tournaments.engine.refusals import RuleRefusal


class TournamentRefusal(Exception):
    """A refused request; it has changed nothing."""

    code: str

    def __init__(self, message: str, **allowed: object) -> None:
        super().__init__(message)
        self.message = message
        self.allowed = allowed


REFUSALS = (TournamentRefusal, AccountRefusal, RuleRefusal)
"""All types of refusals of a request; each has `code` and `message`."""


class RegistrationClosed(TournamentRefusal):
    """Registration is not open yet, or closed (T-01, T-04)."""

    code = "registration_closed"

    def __init__(self, state: str) -> None:
        super().__init__(_("Registration for this tournament is not open."), state=state)


class AlreadyRegistered(TournamentRefusal):
    """The player has a live entry already (T-10, E-02)."""

    code = "already_registered"

    def __init__(self) -> None:
        super().__init__(_("You are registered for this tournament already."))


class NoMoreEntries(TournamentRefusal):
    """The player has used up the maximum of entries (E-02, E-03)."""

    code = "no_more_entries"

    def __init__(self, entries_max: int) -> None:
        super().__init__(
            _("You have used all your entries to this tournament: %(entries)s.")
            % {"entries": entries_max},
            entries_max=entries_max,
        )


class NoTableForEntry(TournamentRefusal):
    """Only tables with another entry of the player have a free seat (E-03)."""

    code = "no_table_for_entry"

    def __init__(self) -> None:
        super().__init__(_("There is no free seat at a table where you do not sit already."))


class NoSuchOffer(TournamentRefusal):
    """The number belongs to no offer of this player."""

    code = "no_such_offer"

    def __init__(self) -> None:
        super().__init__(_("There is no such offer."))


class OfferOver(TournamentRefusal):
    """The offer was answered before, or has expired (E-02, E-04, E-05)."""

    code = "offer_over"

    def __init__(self, state: str) -> None:
        super().__init__(_("This offer was answered already or its time is over."), state=state)


class NoRebuyNow(TournamentRefusal):
    """The player has no seat in a running tournament, or an open request (E-04)."""

    code = "no_rebuy_now"

    def __init__(self) -> None:
        super().__init__(_("You have no seat to buy chips for, or have asked for them already."))


class RebuysOver(TournamentRefusal):
    """The re-buy period is over, by hand-for-hand at the latest (E-04, E-07)."""

    code = "rebuys_closed"

    def __init__(self) -> None:
        super().__init__(_("The re-buy period is over."))


class NoMoreRebuys(TournamentRefusal):
    """The player has used up the maximum of re-buys (E-04)."""

    code = "no_more_rebuys"

    def __init__(self) -> None:
        super().__init__(_("You have used all your re-buys."))


class TooManyChips(TournamentRefusal):
    """The stack is too large for a re-buy (E-04)."""

    code = "too_many_chips"

    def __init__(self) -> None:
        super().__init__(_("You have too many chips to buy again."))


REBUY_REFUSALS: dict[str, type[RebuysOver | NoMoreRebuys | TooManyChips]] = {
    refusal.code: refusal for refusal in (RebuysOver, NoMoreRebuys, TooManyChips)
}
"""Refusals of a re-buy by the code of the engine."""


class NotRegistered(TournamentRefusal):
    """The player has no entry to take back (T-06)."""

    code = "not_registered"

    def __init__(self) -> None:
        super().__init__(_("You are not registered for this tournament."))


class TournamentFull(TournamentRefusal):
    """The maximum of players is reached (T-01)."""

    code = "tournament_full"

    def __init__(self, players_max: int) -> None:
        super().__init__(
            _("All %(players)s places of this tournament are taken.") % {"players": players_max},
            players_max=players_max,
        )


class WrongPassword(TournamentRefusal):
    """The password of a private tournament is missing or wrong (T-02)."""

    code = "wrong_password"

    def __init__(self, *, given: bool = False) -> None:
        words = (
            _("This is not the password of this tournament.")
            if given
            else _("This tournament is private: its password is needed.")
        )
        super().__init__(words)


class AlreadyStarted(TournamentRefusal):
    """Entries cannot be taken back after the start (T-16)."""

    code = "already_started"

    def __init__(self) -> None:
        super().__init__(_("This tournament has started: nobody can unregister any more."))


class TooFewPlayers(TournamentRefusal):
    """The tournament has fewer entries than its minimum (T-04)."""

    code = "too_few_players"

    def __init__(self, entrants: int, players_min: int) -> None:
        super().__init__(
            _("%(entrants)s registered, at least %(minimum)s are needed.")
            % {"entrants": entrants, "minimum": players_min},
            players_min=players_min,
        )


class BadSpec(TournamentRefusal):
    """The tournament cannot be played as described (T-01, T-05)."""

    code = "bad_offer"


class NoSuchTournament(TournamentRefusal):
    """The number belongs to no tournament."""

    code = "no_such_tournament"

    def __init__(self) -> None:
        super().__init__(_("There is no such tournament."))


class PrizesPaid(TournamentRefusal):
    """A tournament with a paid prize cannot be rolled back (T-12)."""

    code = "prizes_paid"

    def __init__(self) -> None:
        super().__init__(_("Prizes have been paid: this tournament cannot be rolled back."))


class RoomCannotPay(TournamentRefusal):
    """The promotions account holds less than the promise; both in cents (Z-01, T-12)."""

    code = "room_cannot_pay"

    def __init__(self, needed: int, free: int) -> None:
        super().__init__(
            _("The room would have to pay up to %(needed)s, its promotions hold %(free)s.")
            % {"needed": text(needed), "free": text(free)},
            needed=needed,
            free=free,
        )


class BadBounty(TournamentRefusal):
    """A bounty of the room cannot be put on this player, or removed (N-02)."""

    code = "bad_bounty"


class BadTicket(TournamentRefusal):
    """The ticket cannot be issued with these values (K-01)."""

    code = "bad_ticket"


class TicketRefused(TournamentRefusal):
    """The ticket, or money, does not pay here; `code` is the reason (K-01, K-02, K-06)."""

    code = "ticket_refused"

    def __init__(self, code: str) -> None:
        words = {
            "no_tickets": _("This tournament takes no tickets."),
            "no_price": _("This tournament costs nothing: it takes no tickets."),
            "tickets_only": _("This tournament can only be entered with a ticket."),
            "other_scope": _("This ticket is for other tournaments."),
            "ticket_too_small": _("This ticket does not cover the price."),
            "foreign_ticket": _("This ticket belongs to somebody else."),
            "ticket_gone": _("This ticket was used or is no longer valid."),
            "ticket_too_early": _("This ticket is not valid yet."),
            "ticket_expired": _("This ticket has expired."),
            "not_exchangeable": _("This ticket cannot be exchanged for money."),
            "no_such_ticket": _("There is no such ticket."),
            "no_fitting_ticket": _("You have no ticket that pays for this tournament."),
        }
        super().__init__(words[code])
        self.code = code


class NotPlayed(TournamentRefusal):
    """The tournament is not in play (T-12)."""

    code = "not_played"

    def __init__(self) -> None:
        super().__init__(_("Nobody has chips yet: this tournament can only be refunded in full."))


class NoDeals(TournamentRefusal):
    """Deals are not allowed in this tournament, or not yet possible (Y-01)."""

    code = "no_deals"

    def __init__(self) -> None:
        super().__init__(
            _("A deal needs the room's leave, a final table and prizes that are unpaid.")
        )


class NotInDeal(TournamentRefusal):
    """Only players still in play propose and vote (Y-01)."""

    code = "not_in_deal"

    def __init__(self) -> None:
        super().__init__(_("Only players who are still in play deal and vote."))


class DealPending(TournamentRefusal):
    """Another deal is proposed or being voted on."""

    code = "deal_pending"

    def __init__(self) -> None:
        super().__init__(_("A deal is proposed already."))


class DealOver(TournamentRefusal):
    """The deal takes no votes now."""

    code = "deal_over"

    def __init__(self) -> None:
        super().__init__(_("There is no vote on this deal."))


class VotedAlready(TournamentRefusal):
    """A vote cannot be changed."""

    code = "voted_already"

    def __init__(self) -> None:
        super().__init__(_("You have voted otherwise: a vote cannot be changed."))


class DealRefusedBefore(TournamentRefusal):
    """The player's last deal was refused and no entry has been knocked out since."""

    code = "deal_refused_before"

    def __init__(self) -> None:
        super().__init__(_("Your deal was refused: propose again when somebody is out."))


class NotInPlay(TournamentRefusal):
    """Rulings are possible only for entries in play (T-15)."""

    code = "not_in_play"

    def __init__(self) -> None:
        super().__init__(_("This entry is not in play."))


class NotPlaying(TournamentRefusal):
    """The player has no seat to leave (A-04)."""

    code = "not_playing"

    def __init__(self) -> None:
        super().__init__(_("You do not play in this tournament."))


class NoCashValue(TournamentRefusal):
    """The chips of this tournament have no cash value (A-04)."""

    code = "no_cash_value"

    def __init__(self) -> None:
        super().__init__(_("The chips of this tournament have no cash value."))


class CannotMove(TournamentRefusal):
    """The entry cannot sit down at that table; `why` is the code (T-08)."""

    code = "cannot_move"

    def __init__(self, why: str) -> None:
        words = {
            "no_table": _("There is no such open table in this tournament."),
            "same_table": _("The player sits at this table already."),
            "no_seat": _("No seat is free at this table."),
            "on_the_way": _("The player is on the way to another table."),
            "own_entry": _("The player has another entry at this table, or on the way to it."),
            "hand_for_hand": _("Nobody is moved while play is hand-for-hand."),
            "shootout": _("In a shootout nobody changes tables."),
        }
        super().__init__(words[why], why=why)


class NoSuchTable(TournamentRefusal):
    """The table is not an open table of the tournament."""

    code = "no_such_table"

    def __init__(self) -> None:
        super().__init__(_("There is no such open table in this tournament."))


class NobodyListens(TournamentRefusal):
    """The tournament is over and takes no messages."""

    code = "nobody_listens"

    def __init__(self) -> None:
        super().__init__(_("This tournament is over."))


class BadMessage(TournamentRefusal):
    """The message is empty or too long."""

    code = "bad_message"

    def __init__(self) -> None:
        most = limits.MESSAGE_MAX_CHARACTERS
        super().__init__(
            _("A message has between 1 and %(most)s characters.") % {"most": most}, most=most
        )
