"""Walk over every address and stream of the site, as one kind of user after the other."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from zipfile import ZipFile

from django.http.response import HttpResponseBase

from tests.deploy.cluster import held_pages
from tests.deploy.cluster.held_pages import Hand
from tests.tables.gateway.sockets import Client as Socket
from tests.tables.gateway.sockets import Message


def read(answer: HttpResponseBase) -> str:
    """Words of a page, or of all texts in a downloaded archive."""
    body = b"".join(answer)
    if answer.headers.get("Content-Type") != "application/zip":
        return body.decode()
    with ZipFile(BytesIO(body)) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def addresses(hand: Hand, club: str) -> Iterator[tuple[str, bool]]:
    """Every address of the site, and True for one that names the tournament or a part of it."""
    for name, ways in held_pages.SITE.items():
        for way in ways:
            if name not in ("logout", "set_language"):
                address = way.format_map(hand._asdict()).replace("made-up", club)
                yield address, "{" in way and name != "where"


def follow(client: Socket, stream: str) -> str:
    """Request a stream; return the type or the code of the answer."""
    client.say(type="subscribe", stream=stream)
    answer = first_of(client, "snapshot", "refused")
    return str(answer["type"] if answer["type"] == "snapshot" else answer["code"])


def first_of(client: Socket, *kinds: str) -> Message:
    """Next message of one of these types."""
    while (message := client.next())["type"] not in kinds:
        pass
    return message
