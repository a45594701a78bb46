"""Rights of each kind of process in PostgreSQL: its tables, and the connections it may hold.

The one place where they are written. `manage.py database_roles` makes a role of each kind from it,
and a process compares the role of its DATABASE_URL with it before it starts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

PRIVILEGES = {"r": "SELECT", "a": "INSERT", "w": "UPDATE", "d": "DELETE"}
"""Letters of the rights below, as PostgreSQL abbreviates them."""

ALL, READ, NONE = "rawd", "r", ""

PREFIX = "room_"
"""Beginning of the name of each role, unless the operator chose another one."""


class TableRight(NamedTuple):
    """One privilege on a table; on some columns of it alone when it names them."""

    table: str
    columns: tuple[str, ...]
    privilege: str


@dataclass(frozen=True, slots=True)
class ProcessRights:
    """Rights of one kind of process: letters by table, by "table(column, column)", or by both.

    `others` are the rights on every table that `tables` leaves out, those of later migrations
    included. One process holds `connections` at the same time at most, and as many more as the
    settings named in `and_settings` say.
    """

    kind: str
    connections: int
    others: str
    tables: Mapping[str, str] = field(default_factory=dict)
    and_settings: tuple[str, ...] = ()

    def connections_of(self, settings: object) -> int:
        """Return the largest number of connections of one process in a room of these settings."""
        return self.connections + sum(int(getattr(settings, name)) for name in self.and_settings)

    def named(self) -> Iterator[TableRight]:
        """Yield the rights on the tables that are named."""
        for name, letters in self.tables.items():
            table, columns = split(name)
            yield from (TableRight(table, columns, PRIVILEGES[letter]) for letter in letters)

    def known(self) -> frozenset[str]:
        """Return the tables to which `others` does not apply."""
        return frozenset(split(name)[0] for name in self.tables)


def mark_of(kind: str, database: str) -> str:
    """Return the comment on the role of a kind of process, by which its rights are renewed."""
    return f"tournament room: {kind} in {database}"


def split(name: str) -> tuple[str, tuple[str, ...]]:
    """Return table and columns of "table" or "table(column, column)"."""
    table, _, columns = name.rstrip(")").partition("(")
    return table, tuple(filter(None, re.split(r",\s*", columns)))


MIGRATIONS = {"django_migrations": READ}
"""Pods wait for the migrations of their release."""

PRUNED_LOG_INS = (
    "accounts_accesstoken",
    "accounts_apianswer",
    "accounts_loginsession",
    "axes_accessattempt",
    "axes_accessattemptexpiration",
    "axes_accessfailurelog",
    "axes_accesslog",
    "django_session",
)
"""Tables of log-ins whose old rows the tick of the schedule deletes."""

LOG_INS = (
    *PRUNED_LOG_INS,
    "accounts_passkey",
    "accounts_passwordlink",
    "accounts_secondfactor",
    "providers_linkedlogin",
)
"""Tables by which people and programs prove who they are."""

CHECKPOINT = ("accounts_accountsum", "accounts_ledgercheckpoint")
MONEY = ("accounts_account", "accounts_posting", "accounts_transfer", *CHECKPOINT)
HIDDEN_HANDS = ("tables_decidedhand", "tables_sealeddeck", "fairlog_openeddeck")
"""Hands that are decided and not shown yet, and decks before their hands are told."""

WEB = ProcessRights(
    kind="web",
    # Threads of programs 2, downloads 1, probes 2, log-ins by providers 4, sockets 4, chat 1,
    # METRICS_LISTEN 1; and of pages and of passwords, as the settings say.
    connections=15,
    and_settings=("PAGES_AT_ONCE", "PASSWORD_HASHES_AT_ONCE"),
    others=ALL,
    tables={
        **MIGRATIONS,
        # A page closes tables: their decks get a fate and a leaf, which a settle worker places.
        "tables_sealeddeck": "rw",
        "fairlog_logleaf": "ra",
        **dict.fromkeys(("fairlog_openeddeck", "fairlog_logtile", "fairlog_logday"), READ),
        "tables_callkey": READ,
        "tables_hand": READ,
        "tables_handarchive": READ,
        "accounts_seal": READ,
        **dict.fromkeys(("accounts_sealprogress", *CHECKPOINT), NONE),
        # Only settle workers may know how a hand ends before everybody sees it.
        "tables_decidedhand": NONE,
        "tables_shardgeneration": NONE,
        # Facts that were told are snapshots of a stream.
        "cardsup_delayedfacts": READ,
        "cardsup_retelling": READ,
    },
)
PLAY = ProcessRights(
    kind="play",
    connections=1,
    others=NONE,
    # A worker that starts gives each live tournament a wake; hands are played in Redis alone.
    tables={**MIGRATIONS, "tournaments_tournament(id, state, refunding, sharing, paying)": READ},
)
SETTLE = ProcessRights(
    kind="settle",
    # Its tasks; for each shard that it adopts a timer and the lock of the adoption.
    connections=1,
    and_settings=("SHARDS", "SHARDS"),
    others=ALL,
    tables={
        **MIGRATIONS,
        **dict.fromkeys(LOG_INS, NONE),
        **dict.fromkeys(PRUNED_LOG_INS, "rd"),
        **dict.fromkeys(("accounts_seal", "accounts_sealprogress", *CHECKPOINT), NONE),
        **dict.fromkeys(("cardsup_delayedfacts", "cardsup_retelling"), NONE),
        "tournaments_webhookcursor": NONE,
        "tournaments_webhookdelivery": NONE,
    },
)
AUDITOR = ProcessRights(
    kind="auditor",
    connections=1,
    others=READ,
    tables={
        **MIGRATIONS,
        **dict.fromkeys(LOG_INS, NONE),
        "accounts_seal": "ra",
        **dict.fromkeys(("accounts_sealprogress", *CHECKPOINT), "raw"),
    },
)
DELIVERIES = ProcessRights(
    kind="deliveries",
    # One of each loop: webhooks, mail, notifications raised and waiting, orphan files.
    connections=8,
    others=READ,
    tables={
        **MIGRATIONS,
        **dict.fromkeys((*LOG_INS, *MONEY, *HIDDEN_HANDS), NONE),
        "cardsup_delayedfacts": NONE,
        "accounts_mail": ALL,
        # PostgreSQL locks a row for those who may change a column of it. A user's row is locked,
        # so that nothing is raised for an account that is being deleted.
        "accounts_user": READ,
        "accounts_user(language)": "w",
        "notifications_notification": ALL,
        "notifications_notificationdelivery": ALL,
        "notifications_notificationsettings": "raw",
        "notifications_pushendpoint": "rwd",
        "tournaments_webhook": "rw",
        "tournaments_webhookcursor": ALL,
        "tournaments_webhookdelivery": ALL,
    },
)
CARDS_UP = ProcessRights(
    kind="cardsup",
    connections=1,
    others=READ,
    tables={
        **MIGRATIONS,
        **dict.fromkeys((*LOG_INS, *MONEY, *HIDDEN_HANDS), NONE),
        "accounts_mail": NONE,
        "cardsup_delayedfacts": ALL,
        "cardsup_retelling": ALL,
    },
)

EVERY = {one.kind: one for one in (WEB, PLAY, SETTLE, AUDITOR, DELIVERIES, CARDS_UP)}
