"""Stories of tables as leaves of a log: honest ones, to which a test adds what a room may do."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from tables.fairness.encoding import hand_id, room_id
from tables.fairness.leaves import (
    Fate,
    FateReason,
    fate_leaf,
    genesis_leaf,
    keys_leaf,
    seal_leaf,
)
from tables.fairness.sealing import seal_deck
from tables.fairness.signing import public_key_of
from tests.tables.fairmirror.served_log import LOG_KEY, ORIGIN, ServedLog

BEGAN_MS = 1_796_000_000_000
PLAYED, VOID, EARLY, UNPLAYED = Fate


class SealedName:
    """Deck of a hand with its leaves; its secret follows from its name."""

    def __init__(self, table: int, epoch: int, hand: int, origin: str = ORIGIN) -> None:
        self.name = hand_id(room_id(origin), table=table, epoch=epoch, hand=hand)
        self.secret = sha256(b"a secret of the tests" + self.name).digest()
        self.value = seal_deck(self.secret, self.name).seal
        self.sealed_ms = BEGAN_MS + hand * 60_000

    def seal(self) -> bytes:
        """Return the leaf of the seal."""
        return seal_leaf(self.name, self.value, sealed_ms=self.sealed_ms, escrow_hash=None)

    def fate(self, fate: Fate = PLAYED) -> bytes:
        """Return the leaf of the fate."""
        reason = FateReason.NONE if fate == PLAYED else FateReason.SUPERSEDED
        ended_ms = self.sealed_ms + 50_000
        return fate_leaf(
            self.name,
            self.value,
            fate=fate,
            reason=reason,
            ended_ms=ended_ms,
            public=None,
            course=None,
        )

    def both(self, fate: Fate = PLAYED) -> list[bytes]:
        """Return the leaves of seal and fate."""
        return [self.seal(), self.fate(fate)]


def beginning(origin_root: bytes = bytes(32), hands: int = 0) -> list[bytes]:
    """Return the first two leaves of a log."""
    keys = keys_leaf(
        call_key=bytes(32),
        log_key=public_key_of(LOG_KEY),
        manifest=bytes(32),
        changed_ms=BEGAN_MS,
    )
    return [genesis_leaf(hands=hands, root=origin_root, created_ms=BEGAN_MS), keys]


def hands(table: int, epoch: int, numbers: Iterable[int]) -> list[bytes]:
    """Return the leaves of hands of one table that were played."""
    return [leaf for hand in numbers for leaf in SealedName(table, epoch, hand).both()]


def honest() -> list[bytes]:
    """Return the log of a room with a void, a decided and an unplayed deck, and an open seal.

    Table 1 plays hands 1 to 3, voids 4 and deals it again in epoch 2. Table 2 was set back after
    its hand 2 was decided: it is settled from epoch 1, and epoch 2 counts on. Table 3 closes.
    """
    return [
        *beginning(),
        *hands(1, 1, range(1, 4)),
        *SealedName(1, 1, 4).both(VOID),
        *hands(1, 2, [4]),
        *hands(2, 1, [1, 2]),
        *hands(2, 2, [3]),
        *hands(3, 1, [1]),
        *SealedName(3, 1, 2).both(UNPLAYED),
        SealedName(1, 2, 5).seal(),
    ]


def opened(log: ServedLog, *decks: SealedName) -> None:
    """Let the room tell the secrets of decks."""
    log.secrets |= {deck.value: deck.secret for deck in decks}
