"""Read the identities of bots: JSON lines with minted sessions, or with passwords."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from tables.bots.client.connection import Identity, Site


class Credentials(msgspec.Struct, frozen=True):
    """One line of the file: a session of `manage.py mint_sessions`, else a password."""

    name: str
    user: int = 0
    session: str | None = None
    password: str | None = None


def read(path: Path, players: int) -> list[Credentials]:
    """Return the first `players` lines of a file of sessions; fewer when it is shorter."""
    decode = msgspec.json.Decoder(Credentials).decode
    with path.open("rb") as file:
        lines = [line for line in file if line.strip()]
    return [decode(line) for line in lines[:players]]


def write(path: Path, identities: Iterable[Identity]) -> int:
    """Write a file of sessions that only its owner can read; return its number of lines."""
    lines = [msgspec.json.encode(identity) + b"\n" for identity in identities]
    path.touch(mode=0o600)
    path.chmod(0o600)
    path.write_bytes(b"".join(lines))
    return len(lines)


async def identify(site: Site, found: Iterable[Credentials]) -> list[Identity]:
    """Return the identities: sessions as given, passwords through the log-in form."""
    identities = []
    for one in found:
        if one.session is not None:
            identities.append(Identity(user=one.user, name=one.name, session=one.session))
        elif one.password is not None:
            identities.append(await site.log_in(one.name, one.password))
        else:
            raise ValueError(f"{one.name} has neither a session nor a password")
    return identities
