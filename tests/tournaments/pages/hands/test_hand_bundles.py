"""Downloads of many hands: JSON lines and zip files, streamed, each reader's own view, rates."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import make_password
from django.http import HttpResponseBase, StreamingHttpResponse
from django.test import Client
from django.utils import timezone
from redis import Redis

from accounts.models import User
from config.door.rates import Rate
from tables.dealer.record import HandRecord
from tables.history.exports import rows, streams
from tables.history.kept import all_kept
from tables.history.released import released_hands
from tables.models import Hand
from tables.pages import bundles as page_bundles
from tests.tournaments.api.asking import get, refused, token
from tests.tournaments.cast import Arena, shove, started
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tournaments.api import bundles as api_bundles
from tournaments.models import Tournament

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),
]


def told(answer: HttpResponseBase) -> bytes:
    """The whole content of a stream."""
    assert isinstance(answer, StreamingHttpResponse) and answer.is_async
    assert "no-store" in answer["Cache-Control"]
    return b"".join(answer)


def lines(content: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in content.splitlines()]


def client_of(user: int) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=user))
    return client


def test_a_tournament_is_streamed_as_its_reader_saw_it(house: Redis) -> None:
    played = PlayedHands(3)
    address = f"/tournaments/{played.tournament.pk}/hands."
    page = Client().get(f"/tournaments/{played.tournament.pk}/", {"tab": "tables"})
    assert f'href="{address}zip"' in page.content.decode()
    assert f'href="{address}ndjson"' in page.content.decode()
    assert f'href="{address}zip?format=pokerstars"' in page.content.decode()
    public = lines(told(Client().get(f"{address}ndjson")))
    assert [line["hand"] for line in public] == [1, 2, 3]
    assert "dh p1 ????" in str(public[0])
    own = lines(told(client_of(played.records[0].seats[0].user).get(f"{address}ndjson")))
    assert [line["hand"] for line in own] == [1, 2, 3] and own != public


def test_a_zip_file_has_a_file_for_each_table_in_the_chosen_format(house: Redis) -> None:
    tournament = started(7, players_max=7, seats_per_table=4)
    arena = Arena(tournament.pk, 8)
    arena.choose = shove
    arena.run()
    address = f"/tournaments/{tournament.pk}/hands.zip"
    tables = set(Hand.objects.values_list("table__number", flat=True))
    assert len(tables) > 1
    kinds = {
        "phh": ("phhs", "[1]\n"),
        "ohh": ("ohh", '{"ohh"'),
        "pokerstars": ("txt", "PokerStars "),
    }
    for form, (ending, mark) in kinds.items():
        packed = zipfile.ZipFile(io.BytesIO(told(Client().get(address, {"format": form}))))
        assert packed.testzip() is None
        folder = f"tournament-{tournament.pk}"
        assert set(packed.namelist()) == {f"{folder}/table-{no}.{ending}" for no in tables}
        texts = [packed.read(name).decode() for name in packed.namelist()]
        assert all(text.startswith(mark) for text in texts)
        assert sum(text.count("finishing_stacks" if form == "phh" else mark) for text in texts) == (
            Hand.objects.count()
        )
    other = zipfile.ZipFile(io.BytesIO(told(Client().get(address, {"format": "exe"}))))
    assert all(name.endswith(".phhs") for name in other.namelist())


def test_own_hands_of_all_games_are_streamed_from_the_wallet(house: Redis) -> None:
    played = PlayedHands(2)
    user = played.records[0].seats[0].user
    client = client_of(user)
    wallet = client.get("/wallet/").content.decode()
    assert 'href="/hands/mine.zip"' in wallet
    assert 'href="/hands/mine.zip?format=pokerstars"' in wallet
    assert [line["hand"] for line in lines(told(client.get("/hands/mine.ndjson")))] == [1, 2]
    stranger = client_of(User.objects.create_user("Stranger").pk)
    assert told(stranger.get("/hands/mine.ndjson")) == b""
    packed = zipfile.ZipFile(io.BytesIO(told(stranger.get("/hands/mine.zip"))))
    assert packed.namelist() == []
    assert Client().get("/hands/mine.zip").status_code == 302


def test_hands_that_are_not_released_are_in_no_stream(house: Redis) -> None:
    played = PlayedHands(2)
    Hand.objects.filter(number=2).update(released_at=timezone.now() + timedelta(minutes=1))
    user = played.records[0].seats[0].user
    address = f"/tournaments/{played.tournament.pk}/hands.ndjson"
    text = token(User.objects.get(pk=user), "watch", "hands:own")
    for content in (
        told(Client().get(address)),
        told(client_of(user).get("/hands/mine.ndjson")),
        told(get("/hands/bundle", text)),
        told(get(f"/tournaments/{played.tournament.pk}/hands/bundle", text)),
    ):
        assert [line["hand"] for line in lines(content)] == [1]


def test_the_api_streams_own_hands_and_public_ones(house: Redis) -> None:
    played = PlayedHands(2)
    user = played.records[0].seats[0].user
    text = token(User.objects.get(pk=user), "watch", "hands:own")
    own = lines(told(get("/hands/bundle", text)))
    public = lines(told(get(f"/tournaments/{played.tournament.pk}/hands/bundle", text)))
    assert [line["hand"] for line in own] == [line["hand"] for line in public] == [1, 2]
    assert own != public
    packed = told(get("/hands/bundle", text, ending="zip", format="ohh"))
    [name] = zipfile.ZipFile(io.BytesIO(packed)).namelist()
    assert name.endswith("/table-1.ohh")
    refused(get("/hands/bundle", text, format="exe"), 400, "invalid_request")
    refused(get("/hands/bundle", text, ending="tar"), 400, "invalid_request")


def test_private_tournaments_and_many_downloads_are_refused(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = Rate("hand-bundles-few", burst=5, per_minute=0.5)
    for module in (page_bundles, api_bundles):
        monkeypatch.setattr(module, "BUNDLES", few)
    played = PlayedHands(1)
    address = f"/tournaments/{played.tournament.pk}/hands"
    assert Client().get(f"{address}.exe").status_code == 404
    assert Client().get(f"{address}.zip").status_code == 200
    user = User.objects.create_user("Stranger")
    client = client_of(user.pk)
    answers = [client.get(f"{address}.ndjson") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [302]
    notice = client.get(answers[-1]["Location"]).content.decode()
    assert "Hands were downloaded just now. Try again later." in notice
    refused(get(f"{address}/bundle", token(user, "watch")), 429, "too_many_requests")
    Tournament.objects.update(password=make_password("sesame"))
    assert Client().get(f"{address}.zip").status_code == 404
    refused(get(f"{address}/bundle", token(user, "watch")), 404, "not_found")
    assert Client().get("/tournaments/999999/hands.zip").status_code == 404


def test_few_rows_are_in_memory_at_once(house: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    played = PlayedHands(5)
    read: list[int] = []

    def counted(chunk: list[Hand], user: int | None) -> list[HandRecord]:
        read.append(len(chunk))
        return all_kept(chunk, user)

    monkeypatch.setattr(rows, "all_kept", counted)
    monkeypatch.setattr(rows, "ROWS_AT_ONCE", 2)
    monkeypatch.setattr(streams, "ROWS_AT_ONCE", 2)
    keys = streams.chosen(released_hands().filter(table=played.table))
    assert keys.itemsize == 8 and len(keys) == 5
    parts = streams.json_lines(keys, None)
    next(parts)
    assert read == [2], "nothing is read before its turn"
    assert len(list(parts)) == 4 and read == [2, 2, 1]
