"""Rules of clubs: names, texts, the rights of each role, and the life of an invitation (pure)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["owner", "manager", "member"]

_RANK: dict[str | None, int] = {None: 0, "member": 1, "manager": 2, "owner": 3}

# Latin letters only, as in names of players: look-alikes would let one club pose as another.
_LETTERS = "[A-Za-z0-9À-ÖØ-öø-žẞ]+"
_NAME = re.compile(f"{_LETTERS}(?:[ .'&_-]{{1,3}}{_LETTERS})*[.!]?")
_SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "o", "ł": "l", "đ": "d"})
_COLOUR = re.compile("#[0-9a-f]{6}")

RESERVED = frozenset({"new", "join", "mine"})
"""Slugs that are addresses of other pages."""


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """Facts of an invitation link at one moment."""

    uses_max: int
    used: int
    expires_at: datetime
    revoked: bool


LinkFault = Literal["revoked", "expired", "used_up"]


def link_fault(link: LinkFacts, now: datetime) -> LinkFault | None:
    """Return the reason why a link lets nobody in at `now`; None for a valid link."""
    if link.revoked:
        return "revoked"
    if now >= link.expires_at:
        return "expired"
    return "used_up" if link.used >= link.uses_max else None


def may_manage(role: str | None) -> bool:
    """Return whether a role invites, answers requests, announces and runs tournaments."""
    return _RANK[role] >= _RANK["manager"]


def may_change_roles(role: str | None) -> bool:
    """Return whether a role makes members to managers and owners, and back."""
    return role == "owner"


def may_remove(role: str | None, subject: str) -> bool:
    """Return whether a role removes a member of role `subject`: owners all, managers members."""
    return role == "owner" or (may_manage(role) and _RANK[subject] < _RANK["manager"])


def leaves_an_owner(role: str, owners: int) -> bool:
    """Return whether the club keeps an owner when a member of this role goes or steps down."""
    return role != "owner" or owners > 1


def normal_name(name: str) -> str:
    """Return the stored spelling of a club's name: NFKC, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def allowed_name(name: str) -> bool:
    """Return whether a name has only letters, digits, blanks and few signs between them."""
    return _NAME.fullmatch(name) is not None


def slug_of(name: str) -> str:
    """Return the address of a name in ASCII; names that differ in case or signs share it."""
    spelled = unicodedata.normalize("NFC", name).lower().translate(_SPELLED)
    plain = "".join(
        sign for sign in unicodedata.normalize("NFKD", spelled) if not unicodedata.combining(sign)
    )
    return re.sub("[^a-z0-9]+", "-", plain).strip("-")


def allowed_colour(colour: str) -> bool:
    """Return whether a colour is written as a browser's colour field sends it: `#1a2b3c`."""
    return _COLOUR.fullmatch(colour) is not None
