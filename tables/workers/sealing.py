"""Decks sealed by workers: fresh secrets, rows before the grant, signed calls, and fates."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache, partial

from django.conf import settings
from django.db import connection
from msgspec.structs import replace

from config import entropy, environment
from tables.dealer.cuts import bound_to, pledged
from tables.dealer.sealed import CalledHand, SealedHand, call_hand, encode_call, seal_hand
from tables.dealer.state import TableState
from tables.engine.cards import DECK
from tables.engine.variants import VARIANTS
from tables.fairness.encoding import room_id, tag
from tables.fairness.leaves import Fate, FateReason
from tables.fairness.sampling import expand
from tables.fairness.signing import public_key_of, sign_message
from tables.models import SealedDeck
from tables.wire.table_events import DeckOpened

UNDEALT = (Fate.VOID_BEFORE_CARDS, Fate.UNPLAYED)
"""Fates of decks of which no card was dealt."""


@cache
def room() -> bytes:
    """Return the id of this room in seals and pledges: that of the host of `PUBLIC_URL`."""
    return room_id(settings.FAIR_ORIGIN)


@cache
def call_key() -> bytes:
    """Return the private key that signs calls; workers that settle hold it, no page reads it."""
    return _private(environment.call_key())


def public_call_key(text: str) -> bytes:
    """Return the public half of a call key, given the text of its file."""
    return public_key_of(_private(text))


def _private(text: str) -> bytes:
    return expand(text.encode(), tag("callkey"), 32)


@cache
def auditor() -> bytes:
    """Return the public key of the room's auditor, b"" without one; raises KeyFileMissing."""
    return environment.auditor_key()


def publish_call_key() -> None:
    """Write the public call key for pages and checkers, unless it is there."""
    public = public_key_of(call_key())
    with connection.cursor() as cursor:
        cursor.execute(_PUBLISH, [public])


def with_next_seal(state: TableState, now_ms: int) -> TableState:
    """Return the state with a sealed deck for the next hand, which it may have already.

    The caller commits the state before anybody is told the seal: a worker that dies in between
    takes the secret along, and another deck is sealed.
    """
    if state.is_next_sealed:
        return state
    fresh = seal_hand(
        room(),
        entropy.secret(),
        table=state.table,
        epoch=state.epoch,
        hand=state.hand_number + 1,
        now_ms=now_ms,
        auditor=auditor(),
    )
    return replace(state, next_seal=fresh)


def call_granted(state: TableState, now_ms: int) -> CalledHand | None:
    """Return the granted hand called to its dealt seats with their pledges.

    None when its game needs another deck.
    """
    assert state.rules is not None and state.next_seal is not None
    if VARIANTS[state.rules.variant].deck != DECK:
        return None
    seats = [(seat.seat, bound_to(seat)) for seat in state.seats if seat.dealt]
    sign = partial(sign_message, call_key())
    cuts = pledged(state.seats)
    return call_hand(state.next_seal, seats, sign=sign, now_ms=now_ms, cuts=cuts)


def keep(table: int, sealed: SealedHand) -> bool:
    """Write the rows of a seal and its leaf unless they are there.

    False when the row of this hand has another seal: a worker made it whose state did not last.
    """
    given: list[bytes | int | None] = [sealed.seal, sealed.sealed_ms, sealed.escrow or None]
    given += [table, sealed.epoch, sealed.hand]
    with connection.cursor() as cursor:
        cursor.execute(_KEEP, given)
        cursor.execute(_KEPT, [table, sealed.epoch, sealed.hand])
        found = cursor.fetchone()
    return found is not None and bytes(found[0]) == sealed.seal


def end(
    tables: Iterable[int],
    reason: FateReason,
    *,
    but_for_decided: bool = False,
    undealt: Collection[CalledHand] = (),
) -> None:
    """Give the open seals of locked tables their fate, in the transaction that raises the epoch.

    The deck of a granted hand is void in play, one that was not granted is unplayed; hands that are
    `undealt` were granted and taken back before their cards. With `but_for_decided` the deck of a
    hand that goes on in the next epoch stays open. No deck ends before it was sealed or called,
    which the clock of Redis tells, also where that of PostgreSQL is a little behind it (V06).
    """
    given: dict[str, list[int] | list[bytes] | int] = {
        "tables": list(tables),
        "undealt": [called.sealed.seal for called in undealt],
        "called_ms": max([called.called_ms for called in undealt], default=0),
        "early": int(Fate.VOID_BEFORE_CARDS),
        "void": int(Fate.VOID_IN_PLAY),
        "unplayed": int(Fate.UNPLAYED),
        "reason": int(reason),
        "decided": but_for_decided,
    }
    with connection.cursor() as cursor:
        cursor.execute(_END, given)


def is_void(table: int, hand: int) -> bool:
    """Return whether the newest deck of a table was sealed for this hand and is void in play.

    False in a research room, which seals no decks.
    """
    decks = SealedDeck.objects.filter(table=table).order_by("-epoch", "-hand")
    return decks.values_list("hand", "fate").first() == (hand, Fate.VOID_IN_PLAY)


def open_deck(sealed: SealedHand, called: CalledHand | None = None) -> DeckOpened | None:
    """Tell the secret of a deck of which no card was dealt, so that all its cards can be checked.

    A deck that was called is kept with its call, and opened only where it is void before its cards:
    a call of a deck that was never played fails its proof (V03). Returns the event for the table;
    None for any other deck, whose secret stays untold, and for a secret that does not make the
    seal.
    """
    if sealed.cards().seal != sealed.seal:
        return None
    with connection.cursor() as cursor:
        kept = None if called is None else encode_call(called)
        fates = UNDEALT if called is None else (Fate.VOID_BEFORE_CARDS,)
        given = [sealed.seal, list(map(int, fates)), sealed.secret, kept]
        cursor.execute(_OPEN, given)
        found = cursor.fetchone()
    if found is None:
        return None
    return DeckOpened(
        epoch=sealed.epoch,
        hand=sealed.hand,
        seal=sealed.seal.hex(),
        secret=sealed.secret.hex(),
        fate=found[0],
    )


_OPEN = """
WITH d AS (
  SELECT id, fate FROM tables_sealeddeck WHERE seal = %s AND fate = ANY(%s)
), o AS (
  INSERT INTO fairlog_openeddeck (deck_id, secret, called) SELECT id, %s, %s FROM d
      ON CONFLICT DO NOTHING
)
SELECT fate FROM d
"""

_PUBLISH = """
INSERT INTO tables_callkey (public, first_used_at) VALUES (%s, clock_timestamp())
    ON CONFLICT DO NOTHING
"""

_KEEP = """
WITH n AS (
  INSERT INTO tables_sealeddeck (table_id, epoch, hand, seal, sealed_ms, escrow, reason, ended_ms)
  SELECT id, epoch, hand + 1, %s, %s, %s, 0, 0 FROM tables_table
   WHERE id = %s AND epoch = %s AND hand = %s - 1
      ON CONFLICT DO NOTHING
  RETURNING id
)
INSERT INTO fairlog_logleaf (deck_id, kind) SELECT id, 1 FROM n
"""

_KEPT = "SELECT seal FROM tables_sealeddeck WHERE table_id = %s AND epoch = %s AND hand = %s"

_END = """
WITH f AS (
UPDATE tables_sealeddeck d
   SET fate = CASE WHEN d.seal = ANY(%(undealt)s::bytea[]) THEN %(early)s
                   WHEN t.granted_hand >= d.hand THEN %(void)s
                   ELSE %(unplayed)s END,
       reason = %(reason)s,
       ended_ms = greatest((extract(epoch FROM clock_timestamp()) * 1000)::bigint, d.sealed_ms,
                  CASE WHEN d.seal = ANY(%(undealt)s::bytea[]) THEN %(called_ms)s::bigint END)
  FROM tables_table t
 WHERE t.id = d.table_id AND d.table_id = ANY(%(tables)s) AND d.fate IS NULL
   AND NOT (%(decided)s AND d.hand = t.hand + 1)
RETURNING d.id
)
INSERT INTO fairlog_logleaf (deck_id, kind) SELECT id, 2 FROM f
"""
