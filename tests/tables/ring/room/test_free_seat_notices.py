"""Players on a waiting list are told of the seat that is kept for them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from redis import Redis

from accounts.models import User
from tables.ring.models import WaitingPlayer
from tables.ring.queries.free_seats import find_free_seats
from tests.tables.ring.room import cast

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_kept_seat_is_told_until_its_time_is_over(room: Redis) -> None:
    ring, now = cast.game(name="Evening"), timezone.now()
    ann, ben = cast.player("Ann"), cast.player("Ben")
    until = now + timedelta(minutes=1)
    WaitingPlayer.objects.create(
        game=ring,
        user=ann,
        offered_table=cast.table_of(ring),
        offered_seat=1,
        offered_until=until,
    )
    WaitingPlayer.objects.create(game=ring, user=ben)
    [notice] = find_free_seats(now, User.objects.all())
    assert (notice.user, notice.link, notice.expires_at) == (ann.pk, f"/ring/{ring.pk}/", until)
    assert notice.words()[1].startswith("Evening, table 1:")
    assert list(find_free_seats(until, User.objects.all())) == []
    assert list(find_free_seats(now, User.objects.filter(pk=ben.pk))) == []
