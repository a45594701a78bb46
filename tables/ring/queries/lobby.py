"""Rows of the lobby of ring games, and the tables of one game with their seats (R-01)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import msgspec
from django.db.models import Q

from accounts.models import User
from tables.models import Seat, Table
from tables.ring import audiences
from tables.ring.models import RingGame, RingSession, WaitingPlayer
from tables.ring.money import DIRECTORS
from tables.ring.queries import figures, kept_seats, mine, words
from tables.ring.queries.figures import RingFigures
from tables.ring.queries.mine import MyOffer, MySession


class RingSeatRow(msgspec.Struct, frozen=True):
    """A seat of a table: its player and chips, or free; a reserved seat has a name and no chips.

    A free seat is `held` while it is offered to another player of the waiting list.
    """

    seat: int
    name: str = ""
    chips: int | None = None
    mine: bool = False
    absent: bool = False
    held: bool = False


class RingTableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a ring game with its seats and figures."""

    table: int
    number: int
    hand: int
    seats: tuple[RingSeatRow, ...]
    figures: RingFigures

    @property
    def players(self) -> int:
        """Seats with a player, those that wait for the next hand included."""
        return sum(bool(seat.name) for seat in self.seats)

    @property
    def free(self) -> int:
        """Seats without a player that are held for nobody."""
        return sum(not seat.name and not seat.held for seat in self.seats)

    @property
    def mine(self) -> bool:
        """True when the visitor sits here."""
        return any(seat.mine for seat in self.seats)


class RingLobbyRow(msgspec.Struct, frozen=True, kw_only=True):
    """A ring game in the lobby: stakes in words, seats, figures, and the visitor's own part.

    A visitor who is `outside` is no member of the `club` of the game, and cannot sit down.
    """

    game: int
    name: str
    variant: str
    limit: str
    game_words: str
    stakes: str
    buy_in: str
    small_blind: int
    big_blind: int
    buy_in_min: int
    buy_in_max: int
    seats_max: int
    straddle: bool
    rapid: bool
    pool_min: int
    tables: int
    seats: int
    players: int
    free: int
    spare: int
    waiting: int
    figures: RingFigures
    jackpots: tuple[str, ...]
    private: bool
    entry_level: bool
    is_open: bool
    frozen: bool
    club: int | None
    club_name: str
    outside: bool
    sessions: tuple[MySession, ...]
    place: MyOffer | None

    @property
    def may_sit(self) -> bool:
        """True when the quick seat can find a place for this visitor."""
        has_place = self.rapid or self.free > 0
        return self.is_open and has_place and not self.sessions and not self.outside

    @property
    def may_wait(self) -> bool:
        """True when all seats are taken and the visitor is not on the list."""
        is_full = not self.rapid and not self.free
        comes_new = not self.sessions and self.place is None and not self.outside
        return self.is_open and is_full and comes_new


def rows(user: User | None, club: int | None = None) -> list[RingLobbyRow]:
    """Return every ring game that is not closed, by stakes, as one visitor sees it (R-01).

    Games that the visitor may not know of are left out; with `club` all others but that club's.
    """
    games = audiences.listable(user).exclude(state=RingGame.State.CLOSED)
    if club is not None:
        games = games.filter(club=club)
    games = games.select_related("club").prefetch_related("jackpots")
    return rows_of(list(games.order_by("big_blind", "small_bet", "name", "pk")), user)


def row(game: RingGame, user: User | None) -> RingLobbyRow:
    """Return the row of one ring game."""
    [one] = rows_of([game], user)
    return one


def tables(game: RingGame, user: User | None) -> list[RingTableRow]:
    """Return the open tables of a game with their seats, as of the last hand boundaries."""
    return tables_of([game.pk], user)[game.pk]


def tables_of(games: Collection[int], user: User | None) -> dict[int, list[RingTableRow]]:
    """Return the open tables of games by game, with as many queries for all as for one."""
    if not games:
        return {}
    rows = Table.objects.filter(director__in=DIRECTORS, game__in=games, status=Table.Status.OPEN)
    found = list(rows.order_by("number"))
    keys = [table.pk for table in found]
    sessions = RingSession.objects.filter(table__in=keys).exclude(state=RingSession.State.LEFT)
    seats = {seat.entry: seat for seat in Seat.objects.filter(table__in=keys)}
    taken = _dealt_in([seats[entry] for entry in seats.keys() - {row.pk for row in sessions}], user)
    for session in sessions:
        seat = seats.get(session.pk)
        taken[session.table_id, session.seat] = RingSeatRow(
            session.seat,
            session.name,
            None if seat is None else seat.chips,
            user is not None and session.user_id == user.pk,
            bool(seat and seat.absent),
        )
    held = kept_seats.held(found, taken, user)
    paces = figures.of_tables(keys)
    by_game: dict[int, list[RingTableRow]] = {game: [] for game in games}
    for table in found:
        row = RingTableRow(
            table=table.pk,
            number=table.number,
            hand=table.hand,
            seats=tuple(
                taken.get((table.pk, number), RingSeatRow(number, held=(table.pk, number) in held))
                for number in range(1, table.seats_max + 1)
            ),
            figures=paces.get(table.pk, RingFigures()),
        )
        by_game[table.game].append(row)
    return by_game


def _dealt_in(
    seats: Collection[Seat], user: User | None
) -> dict[tuple[int | None, int], RingSeatRow]:
    """Return the seats that have no session of their own: those in hands of rapid pools (R-03)."""
    return {
        (seat.table_id, seat.seat): RingSeatRow(
            seat.seat,
            seat.name,
            seat.chips,
            user is not None and seat.user_id == user.pk,
            seat.absent,
        )
        for seat in seats
    }


def has_seat(table: Table, user: User | None) -> bool:
    """Return whether a seat of an open table is free for a visitor."""
    if table.status != Table.Status.OPEN:
        return False
    rows = Table.objects.filter(director__in=DIRECTORS, game=table.game, status=Table.Status.OPEN)
    live = RingSession.objects.filter(game=table.game).exclude(state=RingSession.State.LEFT)
    taken: set[kept_seats.Place] = set(live.values_list("table", "seat"))
    taken |= kept_seats.held(rows, taken, user)
    return sum(place == table.pk for place, _seat in taken) < table.seats_max


def rows_of(games: Sequence[RingGame], user: User | None) -> list[RingLobbyRow]:
    """Return the rows of these ring games, with as many queries for all as for one."""
    if not games:
        return []
    keys = [game.pk for game in games]
    open_tables = list(
        Table.objects.filter(director__in=DIRECTORS, game__in=keys, status=Table.Status.OPEN)
    )
    paces = figures.of_tables([table.pk for table in open_tables])
    at_tables = Q(table__in=[table.pk for table in open_tables]) | Q(table=None, game__in=keys)
    live = RingSession.objects.filter(at_tables).exclude(state=RingSession.State.LEFT)
    taken = list(live.values_list("game", "table", "seat"))
    players = Counter(game for game, _table, _seat in taken)
    rows = WaitingPlayer.objects.filter(game__in=keys)
    waiting = Counter(rows.values_list("game", flat=True))
    held = kept_seats.held(open_tables, [(table, seat) for _game, table, seat in taken], user)
    held_at = Counter(table for table, _seat in held)
    sessions = mine.sessions(user) if user else []
    places = mine.places(user) if user else []
    outside = audiences.outside(user, games)
    return [
        _row(
            game,
            [table for table in open_tables if table.game == game.pk],
            paces,
            players[game.pk],
            waiting[game.pk],
            sum(held_at[table.pk] for table in open_tables if table.game == game.pk),
            tuple(own for own in sessions if own.game == game.pk),
            next((place for place in places if place.game == game.pk), None),
            game.pk in outside,
        )
        for game in games
    ]


def _jackpots(game: RingGame) -> tuple[str, ...]:
    rows = game.jackpots.all() if game.has_jackpots else ()
    return tuple(jackpot.kind for jackpot in rows if jackpot.enabled)


def _row(
    game: RingGame,
    its_tables: Sequence[Table],
    paces: Mapping[int, RingFigures],
    players: int,
    waiting: int,
    held: int,
    sessions: tuple[MySession, ...],
    place: MyOffer | None,
    outside: bool,
) -> RingLobbyRow:
    seats = sum(table.seats_max for table in its_tables)
    # Another table opens when the last one fills.
    spare = max(0, game.tables_max - len(its_tables)) * game.seats_max
    return RingLobbyRow(
        game=game.pk,
        name=game.name,
        variant=game.variant,
        limit=game.limit,
        game_words=words.game_name(game),
        stakes=words.stakes(game),
        buy_in=words.buy_in(game),
        small_blind=game.small_blind,
        big_blind=game.big_blind,
        buy_in_min=game.buy_in_min,
        buy_in_max=game.buy_in_max,
        seats_max=game.seats_max,
        straddle=game.straddle,
        rapid=game.rapid,
        pool_min=game.pool_min,
        tables=len(its_tables),
        seats=seats,
        players=players,
        # A pool is never full: its tables are no measure of its players.
        free=max(1 if game.rapid else 0, seats - players - held) + spare,
        spare=spare,
        waiting=waiting,
        figures=figures.together(paces[table.pk] for table in its_tables if table.pk in paces),
        jackpots=_jackpots(game),
        private=bool(game.password),
        entry_level=game.entry_level,
        is_open=game.state == RingGame.State.OPEN and not game.frozen,
        frozen=game.state == RingGame.State.OPEN and game.frozen,
        club=game.club_id,
        club_name="" if game.club is None else game.club.name,
        outside=outside,
        sessions=sessions,
        place=place,
    )
