"""Refusals of tournaments to players and operators, each with a code and a sentence."""

from __future__ import annotations

from config import limits
from config.refusals import Refusal
from config.refusals import marked as _


class ClockJustSet(Refusal):
    """Somebody set the level clock by hand a moment ago: another organiser, or a second click."""

    code = "clock_just_set"
    sentence = _("The clock was set a moment ago: look at it first, then set it again.")


class TournamentHeldByRoom(Refusal):
    """Staff of the room paused a club's tournament; its managers do not end that pause."""

    code = "tournament_held_by_room"
    sentence = _("Staff of the room paused this tournament: only they let it go on.")


class NoTableForEntry(Refusal):
    """Only tables with another entry of the player have a free seat (E-03)."""

    code = "no_table_for_entry"
    sentence = _("There is no free seat at a table where you do not sit already.")


class NoSuchOffer(Refusal):
    """The number belongs to no offer of this player."""

    code = "no_such_offer"
    sentence = _("There is no such offer.")


class OfferOver(Refusal):
    """The offer was answered before, or has expired (E-02, E-04, E-05)."""

    code = "offer_over"
    sentence = _("This offer was answered already or its time is over.")


class NoRebuyNow(Refusal):
    """The player has no seat in a running tournament, or an open request (E-04)."""

    code = "no_rebuy_now"
    sentence = _("You have no seat to buy chips for, or have asked for them already.")


class NotRegistered(Refusal):
    """The player has no entry to take back (T-06)."""

    code = "not_registered"
    sentence = _("You are not registered for this tournament.")


class TakenBack(Refusal):
    """The entry that an organiser takes out was taken back before (T-06)."""

    code = "taken_back"
    sentence = _("This player is not registered any more.")


class ConsentNeeded(Refusal):
    """The tournament takes only players who let their cards be shown after the delay."""

    code = "consent_needed"
    sentence = _(
        "Here the cards of all players are shown after a delay: whoever enters agrees to it."
    )


class TournamentFull(Refusal):
    """The maximum of players is reached (T-01)."""

    code = "tournament_full"
    sentence = _("All %(players_max)s places of this tournament are taken.")

    def __init__(self, players_max: int) -> None:
        super().__init__(players_max=players_max)


class WrongPassword(Refusal):
    """The password of a private tournament is missing or wrong (T-02)."""

    code = "wrong_password"
    sentence = _("This tournament is private: its password is needed.")

    def __init__(self, *, given: bool = False) -> None:
        super().__init__(_("This is not the password of this tournament.") if given else "")


class MembersOnly(Refusal):
    """The tournament takes entries of the club's members and its guests."""

    code = "members_only"
    sentence = _("Only members of %(club)s enter this tournament.")

    def __init__(self, club: str) -> None:
        super().__init__(club=club)


class GuestsOnly(Refusal):
    """The tournament takes entries of invited players."""

    code = "guests_only"
    sentence = _("Only invited players enter this tournament.")


class SeatsMembersAlone(Refusal):
    """A manager buys entries for members of the club: nobody else gave him a say."""

    code = "seats_members_alone"
    sentence = _("%(name)s is no member of %(club)s: its managers seat members alone.")

    def __init__(self, name: str, club: str) -> None:
        super().__init__(name=name, club=club)


class BadGuest(Refusal):
    """The player cannot be invited to this tournament."""

    code = "bad_guest"


class AlreadyStarted(Refusal):
    """Entries cannot be taken back after the start (T-16)."""

    code = "already_started"
    sentence = _("This tournament has started: nobody can unregister any more.")


class TooFewPlayers(Refusal):
    """The tournament has fewer entries than its minimum (T-04)."""

    code = "too_few_players"
    sentence = _("%(entrants)s registered, at least %(players_min)s are needed.")

    def __init__(self, entrants: int, players_min: int) -> None:
        super().__init__(entrants=entrants, players_min=players_min)


class BadSpec(Refusal):
    """The tournament cannot be played as described (T-01, T-05)."""

    code = "bad_offer"

    @classmethod
    def of(cls, refusal: Refusal, field: str = "") -> BadSpec:
        """Return another refusal of an option as one of the offer."""
        spec = cls(refusal.sentence, field=field or refusal.field)
        spec.allowed, spec.money = refusal.allowed, refusal.money
        return spec


class TemplateNameUsed(BadSpec):
    """A template of the room, or of the same club, has the name."""

    sentence = _("There is a template of that name already.")
    field = "name"


class NoSuchTemplate(Refusal):
    """The club has no such template, or no such tournament to make one of."""

    code = "no_such_template"
    sentence = _("The club has no such template.")


class TooManyTemplates(Refusal):
    """The club has the most templates allowed."""

    code = "too_many_templates"
    sentence = _("A club has at most %(most)s templates: delete one first.")


class NoSuchTournament(Refusal):
    """The number belongs to no tournament."""

    code = "no_such_tournament"
    sentence = _("There is no such tournament.")


class PrizesPaid(Refusal):
    """A tournament with a paid prize cannot be rolled back (T-12)."""

    code = "prizes_paid"
    sentence = _("Prizes have been paid: this tournament cannot be rolled back.")


class RoomCannotPay(Refusal):
    """The promotions account holds less than the promise; both in cents (Z-01, T-12)."""

    code = "room_cannot_pay"
    sentence = _("The room would have to pay up to %(needed)s, its promotions hold %(free)s.")
    money = frozenset({"needed", "free"})

    def __init__(self, needed: int, free: int) -> None:
        super().__init__(needed=needed, free=free)


class FeesTaken(RoomCannotPay):
    """The account of fees holds less than is to go back; both in cents (T-12)."""

    code = "fees_taken"
    sentence = _("Fees of %(needed)s would go back, the room's account of fees holds %(free)s.")


class ClubFeesTaken(Refusal):
    """The room's account of fees holds less than a club's tournament gives back, in cents (T-12).

    What the room holds is not told to managers of clubs.
    """

    code = "club_fees_taken"
    sentence = _(
        "Fees of %(needed)s would go back, and the room has taken them out already: ask its staff."
    )
    money = frozenset({"needed"})

    def __init__(self, needed: int) -> None:
        super().__init__(needed=needed)


class ClubCannotPay(Refusal):
    """The club's promotions account holds less than the promise; both in cents (Z-01)."""

    code = "club_cannot_pay"
    sentence = _("The club would have to pay up to %(needed)s, its bank holds %(free)s.")
    money = frozenset({"needed", "free"})

    def __init__(self, needed: int, free: int) -> None:
        super().__init__(needed=needed, free=free)


class BadBounty(Refusal):
    """A bounty of the room cannot be put on this player, or removed (N-02)."""

    code = "bad_bounty"


class BadTicket(Refusal):
    """The ticket cannot be issued with these values (K-01)."""

    code = "bad_ticket"


class NotPlayed(Refusal):
    """The tournament is not in play (T-12)."""

    code = "not_played"
    sentence = _("Nobody has chips yet: this tournament can only be refunded in full.")


class NoDeals(Refusal):
    """Deals are not allowed in this tournament, or not yet possible (Y-01)."""

    code = "no_deals"
    sentence = _("A deal needs the room's leave, a final table and prizes that are unpaid.")


class NotInDeal(Refusal):
    """Only players still in play propose and vote (Y-01)."""

    code = "not_in_deal"
    sentence = _("Only players who are still in play deal and vote.")


class DealPending(Refusal):
    """Another deal is proposed or being voted on."""

    code = "deal_pending"
    sentence = _("A deal is proposed already.")


class DealOver(Refusal):
    """The deal takes no votes now."""

    code = "deal_over"
    sentence = _("There is no vote on this deal.")


class VotedAlready(Refusal):
    """A vote cannot be changed."""

    code = "voted_already"
    sentence = _("You have voted otherwise: a vote cannot be changed.")


class DealRefusedBefore(Refusal):
    """The player's last deal was refused and no entry has been knocked out since."""

    code = "deal_refused_before"
    sentence = _("Your deal was refused: propose again when somebody is out.")


class NotInPlay(Refusal):
    """Rulings are possible only for entries in play (T-15)."""

    code = "not_in_play"
    sentence = _("This entry is not in play.")


class NotPlaying(Refusal):
    """The player has no seat to leave (A-04)."""

    code = "not_playing"
    sentence = _("You do not play in this tournament.")


class NoCashValue(Refusal):
    """The chips of this tournament have no cash value (A-04)."""

    code = "no_cash_value"
    sentence = _("The chips of this tournament have no cash value.")


class CannotMove(Refusal):
    """The entry cannot sit down at that table; `why` is the code (T-08)."""

    code = "cannot_move"

    def __init__(self, why: str) -> None:
        words = {
            "no_table": NoSuchTable.sentence,
            "same_table": _("The player sits at this table already."),
            "no_seat": _("No seat is free at this table."),
            "on_the_way": _("The player is on the way to another table."),
            "own_entry": _("The player has another entry at this table, or on the way to it."),
            "hand_for_hand": _("Nobody is moved while play is hand-for-hand."),
            "shootout": _("In a shootout nobody changes tables."),
        }
        super().__init__(words[why], why=why)


class NoSuchTable(Refusal):
    """The table is not an open table of the tournament."""

    code = "no_such_table"
    sentence = _("There is no such open table in this tournament.")


class NobodyListens(Refusal):
    """The tournament is over and takes no messages."""

    code = "nobody_listens"
    sentence = _("This tournament is over.")


class BadMessage(Refusal):
    """The message is empty or too long."""

    code = "bad_message"
    sentence = _("A message has between 1 and %(most)s characters.")

    def __init__(self) -> None:
        super().__init__(most=limits.MESSAGE_MAX_CHARACTERS)


class EnteredStill(Refusal):
    """An account with entries in tournaments that are not over cannot be deleted."""

    code = "entered_still"
    sentence = _("You are in %(tournaments)s: take your entry back, or wait for the end.")

    def __init__(self, tournaments: list[str]) -> None:
        super().__init__(tournaments=tournaments)
