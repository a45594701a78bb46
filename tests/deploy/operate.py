"""Operations of the cluster tests, run as a process beside the room."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from accounts.models import User  # noqa: E402
from accounts.users import access_tokens, bots, sessions  # noqa: E402
from accounts.users.signup import sign_up  # noqa: E402
from tables.bots.client.connection import Identity  # noqa: E402
from tables.bots.client.sessions import write  # noqa: E402
from tournaments.engine.structure import BlindStructure, Level  # noqa: E402
from tournaments.models import Structure, Tournament  # noqa: E402
from tournaments.models.structure import encoded  # noqa: E402
from tournaments.models.tournament import Start  # noqa: E402
from tournaments.running import operations  # noqa: E402
from tournaments.schedule import making  # noqa: E402


def make_sessions(path: str, players: str) -> None:
    """Create bots and their log-in sessions."""
    minted = sessions.mint(bots.create(int(players)), 1.0)
    write(Path(path), [Identity(user=u.pk, name=u.name, session=key) for u, key in minted])


def sign_people_up(path: str, players: str) -> None:
    """Sign up people with passwords, and write their names for a swarm."""
    people = [{"name": f"Person{n}", "password": f"correct-horse-{n}"} for n in range(int(players))]
    for person in people:
        sign_up(person["name"], person["password"])
    Path(path).write_text("".join(json.dumps(person) + "\n" for person in people))


def make_tokens(path: str, players: str) -> None:
    """Sign up people and write an access token of each, as their pages would show it."""
    people = [sign_up(f"Stranger{n}", f"correct-horse-{n}") for n in range(int(players))]
    scopes = ("hands:own", "play", "watch")
    texts = [access_tokens.issue(user, name="bot", scopes=scopes, days=1) for user in people]
    Path(path).write_text("\n".join(texts))


def offer(how: str) -> None:
    """Open a Sit & Go: calm for `calm_ms`, then the blinds double every second hand to a quick end.

    `fields` of a tournament overrule; its `target` is named by its key.
    """
    wanted = json.loads(how)
    fields = wanted.get("fields", {})
    if "target" in fields:
        fields["target"] = Tournament.objects.get(pk=fields["target"])
    rising = [
        Level(small_blind=50 * 2**n, big_blind=100 * 2**n, lasts_hands=2) for n in range(1, 8)
    ]
    calm = Level(small_blind=25, big_blind=50, lasts_ms=wanted["calm_ms"])
    last = Level(small_blind=12_800, big_blind=25_600)
    levels = BlindStructure(
        (calm, *rising, Level(last.small_blind, last.big_blind, lasts_hands=1_000))
    )
    row = Structure.objects.create(
        name=f"calm {Structure.objects.count()}", items=encoded(levels), starting_stack=3_000
    )
    usual = {
        "name": "Cluster",
        "start": Start.SIT_AND_GO,
        "players_min": wanted["players"],
        "players_max": wanted["players"],
        "seats_per_table": wanted["seats"],
        "buy_in": 10_00,
        "fee": 1_00,
        "action_ms": 8_000,
        "bank_ms": 0,
        "hand_pause_ms": 50,
        "showdown_pause_ms": 50,
        "street_pause_ms": 0,
        "bubble_charge_ms": 1_000,
    }
    made = making.create_from_structure(row, **(usual | fields))
    sys.stdout.write(str(operations.open(made.pk).pk))


def cancel(tournament: str) -> None:
    """Call a tournament off; its tables end with the hand they play."""
    operations.cancel(int(tournament), reason="over")


def make_staff(name: str) -> None:
    """Create a superuser with access to every admin page; print the session."""
    boss = User.objects.create_superuser(name, "correct-horse-battery")
    sys.stdout.write(sessions.mint([boss], 1.0)[0][1])


COMMANDS = {
    "staff": make_staff,
    "sessions": make_sessions,
    "people": sign_people_up,
    "tokens": make_tokens,
    "offer": offer,
    "cancel": cancel,
}
COMMANDS[sys.argv[1]](*sys.argv[2:])
