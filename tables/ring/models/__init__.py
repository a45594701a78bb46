"""Rows of ring games: games, sessions, waiting players, penalties, audit, rake tables, jackpots."""

from tables.ring.models.audit import RingAuditRow
from tables.ring.models.game import RingGame
from tables.ring.models.jackpot import Jackpot, JackpotWin
from tables.ring.models.penalty import Penalty
from tables.ring.models.rake import RakeTable, RakeTableRow
from tables.ring.models.rapid import RapidStay, RapidWaiting
from tables.ring.models.session import RingSession
from tables.ring.models.waiting import WaitingPlayer

__all__ = [
    "Jackpot",
    "JackpotWin",
    "Penalty",
    "RakeTable",
    "RakeTableRow",
    "RapidStay",
    "RapidWaiting",
    "RingAuditRow",
    "RingGame",
    "RingSession",
    "WaitingPlayer",
]
