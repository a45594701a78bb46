"""Answers of the API; money in minor units, stacks in chips, times in UTC."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import TypeVar

from ninja import Field, Schema
from pydantic import ConfigDict

from accounts.research.mark import told
from config import limits
from tournaments.engine import lifecycle
from tournaments.models import Tournament
from tournaments.queries import level_clock

Answer = TypeVar("Answer", bound=Schema)


def of_row(answer: type[Answer], row: object, **other: object) -> Answer:
    """Return the answer with the fields of a row of the database, which need no validation.

    To read and validate each field as one of a stranger took a third of the time of a list.
    """
    names = fields_of(answer, *other)
    return answer.model_construct(None, **{name: getattr(row, name) for name in names}, **other)


@cache
def fields_of(answer: type[Schema], *without: str) -> list[str]:
    """Return the names of the fields of an answer, but for some."""
    return [name for name in answer.model_fields if name not in without]


class TournamentAnswer(Schema):
    """A tournament: what it costs, how far it is; `left` counts players once it has started.

    `start` is scheduled or sit_and_go; `bots` is none, allowed or only. An entry costs `price`:
    `buy_in` for the pool, `bounty` for the own head, and `fee`. `pool` is the prize pool, empty
    until it is fixed, when no more entries or chips are sold; `finished_at` is when it finished or
    was cancelled, empty before. `paying` is true while prizes of an ended tournament, refunds or
    shares are being paid, some at a time. In a `research` room decks follow from seeds, and hands
    have no proof.
    """

    id: int
    name: str
    state: str
    start: str
    bots: str
    format: str
    variant: str
    limit: str
    starts_at: datetime | None
    finished_at: datetime | None
    price: int
    buy_in: int
    bounty: int
    fee: int
    pool: int | None
    guarantee: int
    starting_stack: int
    seats_per_table: int
    players_max: int
    entrants: int
    left: int
    paying: bool
    research: bool = Field(default_factory=told.get)


def tournament_answer(row: Tournament) -> TournamentAnswer:
    """Return the answer about a tournament's row."""
    others = {"price": row.price, "paying": row.is_paying, "research": told.get()}
    return of_row(TournamentAnswer, row, **others)


class OneTournamentAnswer(TournamentAnswer):
    """One tournament with `item`, the place of the level or break in play in its structure, from 0.

    It is empty while no level clock runs; a step that sets the clock may name it.
    """

    item: int | None


def one_tournament_answer(row: Tournament) -> OneTournamentAnswer:
    """Return the answer about a tournament's row with the item of its level clock."""
    item = level_clock.item(row) if row.state in lifecycle.PLAYED else None
    others = {"price": row.price, "paying": row.is_paying, "research": told.get()}
    return of_row(OneTournamentAnswer, row, item=item, **others)


class TournamentPage(Schema):
    """Some tournaments, newest first; `next` is the cursor of the page after it, or empty."""

    items: list[TournamentAnswer]
    next: str


class TableAnswer(Schema):
    """A table of a tournament; `number` is the one people see, `hand` that of its last hand."""

    id: int
    number: int
    status: str
    seats_max: int
    hand: int


class TablePage(Schema):
    """Some tables, newest first; `next` is the cursor of the page after it, or empty."""

    items: list[TableAnswer]
    next: str


class ResultAnswer(Schema):
    """An entry with its place, empty while it plays, and its prizes; `id` as in events."""

    id: int
    number: int
    name: str
    place: int | None
    prize: int
    bounties_won: int
    rebuys: int
    add_ons: int


class ResultPage(Schema):
    """Some entries of a tournament, newest first; `next` is a cursor, or empty."""

    items: list[ResultAnswer]
    next: str


class MovementAnswer(Schema):
    """A movement of money with the balance after it.

    `ref` is what it was booked for, such as tournament:7, or empty.
    """

    id: int
    when: datetime
    kind: str
    ref: str
    memo: str
    amount: int
    balance_after: int


class WalletPage(Schema):
    """Balance and some movements, newest first; `next` is a cursor, or empty."""

    balance: int
    items: list[MovementAnswer]
    next: str


class TicketAnswer(Schema):
    """A ticket of the user: its worth, the activity that it pays for, and its window."""

    id: int
    value: int
    scope: str
    state: str
    valid_from: datetime
    valid_until: datetime
    exchangeable: bool


class TicketPage(Schema):
    """Some tickets, newest first; `next` is the cursor of the page after it, or empty."""

    items: list[TicketAnswer]
    next: str


class HandAnswer(Schema):
    """A finished hand; `game` is the key of its tournament or ring game, as `kind` names it.

    `result` is the user's gain or loss in own hands. Amounts are chips, at ring tables money. Decks
    of a `research` room follow from seeds.
    """

    id: int
    table: int
    number: int
    kind: str
    game: int
    variant: str
    limit: str
    players: int
    pot: int
    result: int | None
    finished_at: datetime
    research: bool = Field(default_factory=told.get)


class HandPage(Schema):
    """Some hands, newest first; `next` is the cursor of the page after it, or empty."""

    items: list[HandAnswer]
    next: str


class VoidHandAnswer(Schema):
    """A void hand; `number` is used again by the next hand of the table, `reason` is a code."""

    id: int
    table: int
    number: int
    reason: str
    ended_at: datetime


class VoidHandPage(Schema):
    """Some void hands, newest first; `next` is the cursor of the page after it, or empty."""

    items: list[VoidHandAnswer]
    next: str


class TemplateAnswer(Schema):
    """A template of the room; `schedule` is how it opens tournaments by itself."""

    id: int
    name: str
    structure: str
    schedule: str


class ClubTemplateAnswer(Schema):
    """A template of a club; its options are those of `tournament`."""

    id: int
    name: str
    club: int
    club_name: str
    tournament: int


class ClubTemplatePage(Schema):
    """Some templates of clubs, newest first; `next` is the cursor of the page after it, or ""."""

    items: list[ClubTemplateAnswer]
    next: str


class TemplatePage(Schema):
    """Some templates, newest first; `next` is the cursor of the page after it, or empty."""

    items: list[TemplateAnswer]
    next: str


class EntryRequest(Schema):
    """A wish to register; `ticket` is the number of a ticket, "any", or empty to pay with money.

    `shows_cards` is the user's consent to streams with cards, where the tournament asks for it.
    """

    model_config = ConfigDict(extra="forbid")

    ticket: str = Field("", max_length=20)
    password: str = Field("", max_length=limits.PASSWORD_MAX_CHARACTERS)
    shows_cards: bool = False


class FeaturedAnswer(Schema):
    """The featured table: its delay in ms, and the events told of its hand, as on its stream."""

    delay_ms: int
    events: list[dict[str, object]]


class EntryAnswer(Schema):
    """An entry of the user; `ticket` is the number of the ticket that paid for it.

    Events and re-buys name the entry by its `id`.
    """

    id: int
    tournament: int
    number: int
    name: str
    state: str
    ticket: int | None
