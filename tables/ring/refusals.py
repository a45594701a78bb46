"""Refusals of ring games to players and operators, each with a code and a sentence."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class NoSuchRingGame(Refusal):
    """There is no such ring game, or it takes no players any more."""

    code = "no_such_game"
    sentence = _("This ring game takes no players.")


class NoSuchRingTable(Refusal):
    """The table is not one of the game's open tables."""

    code = "no_such_table"
    sentence = _("This is no open table of the game.")


class NoSuchSeat(Refusal):
    """The seat number is not one of the table's."""

    code = "no_such_seat"
    sentence = _("The table has the seats 1 to %(seats)s.")


class SeatTakenAlready(Refusal):
    """Another player has the seat, or it is held for a player on the waiting list."""

    code = "seat_taken"
    sentence = _("This seat is taken.")


class NoFreeSeat(Refusal):
    """No table of the game has a free seat."""

    code = "no_free_seat"
    sentence = _("All seats are taken. You can join the waiting list.")


class SeatedAlready(Refusal):
    """The player has a seat at this table."""

    code = "seated_already"
    sentence = _("You have a seat at this table.")


class SeatFree(Refusal):
    """A waiting list is joined only while no seat is free."""

    code = "seat_free"
    sentence = _("A seat is free: sit down at once.")


class WaitingAlready(Refusal):
    """The player is on the waiting list of the game."""

    code = "waiting_already"
    sentence = _("You are on the waiting list.")


class NotWaiting(Refusal):
    """The player is not on the waiting list of the game."""

    code = "not_waiting"
    sentence = _("You are not on the waiting list.")


class OfferExpired(Refusal):
    """The offered seat was held for its time and is no longer."""

    code = "offer_expired"
    sentence = _("The offer of this seat has expired.")


class NotAtTable(Refusal):
    """The session is not the player's, or it has ended."""

    code = "not_at_table"
    sentence = _("You have no seat at this table.")


class LeavingAlready(Refusal):
    """A player who leaves at the next boundary buys no more chips."""

    code = "leaving"
    sentence = _("You leave the table after this hand.")


class PlayerLeaves(Refusal):
    """The player of whom an operator asks something leaves at the next boundary."""

    code = "player_leaving"
    sentence = _("The player leaves the table after this hand.")


class PlayerHasLeft(Refusal):
    """The player of whom an operator asks something has no seat any more."""

    code = "player_has_left"
    sentence = _("The player has left the table.")


class BoughtMeanwhile(Refusal):
    """A purchase was made since the player was asked: the wish may be the same one, sent twice."""

    code = "bought_meanwhile"
    sentence = _("You have bought chips meanwhile: look at your stack first.")


class NoStraddle(Refusal):
    """The game has no straddle (H-09)."""

    code = "no_straddle"
    sentence = _("This game has no straddle.")


class WrongRingPassword(Refusal):
    """The password of a private game is wrong."""

    code = "wrong_password"
    sentence = _("The password is wrong.")


class RingMembersOnly(Refusal):
    """Only members of the club sit down at its game."""

    code = "members_only"
    sentence = _("Only members of %(club)s sit down at this game.")

    def __init__(self, club: str) -> None:
        super().__init__(club=club)


class TooManyClubGames(Refusal):
    """The club has the most ring games allowed."""

    code = "too_many_games"
    sentence = _("A club has at most %(most)s ring games: close one first.")


class AllTablesOpen(Refusal):
    """The game has as many open tables as it may."""

    code = "all_tables_open"
    sentence = _("All %(most)s tables of the game are open.")


class HeldByRoom(Refusal):
    """Staff of the room paused the game; its club's managers do not end that pause."""

    code = "held_by_room"
    sentence = _("Staff of the room paused this game: only they let it go on.")


class NoReason(Refusal):
    """An operator's action needs a reason."""

    code = "no_reason"
    field = "reason"
    sentence = _("Give a reason: it is written beside your name.")


class ReasonTooLong(Refusal):
    """The reason does not fit into an audit row."""

    code = "reason_too_long"
    field = "reason"
    sentence = _("The reason has at most %(most)s characters.")


class ReasonUnreadable(Refusal):
    """The reason has signs that no page shows and no row holds."""

    code = "reason_unreadable"
    field = "reason"
    sentence = _("The reason has signs that cannot be shown.")


class PenaltyTooSmall(Refusal):
    """A penalty is a payment of at least one minor unit (P-03)."""

    code = "penalty_too_small"
    field = "amount"
    sentence = _("A penalty is more than 0.")


class PenaltyAboveStack(Refusal):
    """A penalty is paid from the chips at the table, and from nothing else; minor units (P-03)."""

    code = "penalty_above_stack"
    field = "amount"
    sentence = _("The player can pay at most %(most)s from the stack.")
    money = frozenset({"most"})


class NotInPool(Refusal):
    """The session is at a table of its own, where the seat itself sits out (R-03)."""

    code = "not_in_pool"
    sentence = _("You are at a table, not in a rapid pool.")


class NoPoolPenalty(Refusal):
    """A penalty is paid into the next hand at one table; a rapid pool has no such table (P-03)."""

    code = "no_pool_penalty"
    sentence = _("Penalties are ordered at tables, not in a rapid pool.")


class NoPlaceInPool(Refusal):
    """The room seats the players of a rapid pool: no table and no seat is chosen (R-03)."""

    code = "no_place_in_pool"
    sentence = _("In a rapid pool the room seats you anew for every hand.")


class InPoolAlready(Refusal):
    """A player is once in a rapid pool (R-03)."""

    code = "in_pool_already"
    sentence = _("You are in this rapid pool.")


class SeatedStill(Refusal):
    """An account with chips in ring games cannot be deleted."""

    code = "seated_still"
    sentence = _("You have chips in %(games)s: leave, and wait for the end of the hand.")

    def __init__(self, games: list[str]) -> None:
        super().__init__(games=games)


class WaitingStill(Refusal):
    """An account on waiting lists cannot be deleted."""

    code = "waiting_still"
    sentence = _("You wait for a seat in %(games)s: give your place up first.")

    def __init__(self, games: list[str]) -> None:
        super().__init__(games=games)
