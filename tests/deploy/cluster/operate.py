"""Operations of the cluster tests, run as a process beside the room."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import django
from django.utils import timezone
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from accounts.bots import owning  # noqa: E402
from accounts.ledger import promotions  # noqa: E402
from accounts.logins import minting  # noqa: E402
from accounts.models import AccessToken, User  # noqa: E402
from accounts.users import access_tokens, bots  # noqa: E402
from accounts.users.signup import sign_up  # noqa: E402
from config import redis  # noqa: E402
from tables.bots.client.connection import Identity  # noqa: E402
from tables.bots.client.sessions import write  # noqa: E402
from tables.cardsup.timeline import timeline  # noqa: E402
from tables.history.kept import whole_of  # noqa: E402
from tables.models import Hand  # noqa: E402
from tables.records import holding, stored  # noqa: E402
from tables.seeds import marking  # noqa: E402
from tables.store import deck_keys, fenced  # noqa: E402
from tournaments.bot_ladder.models import BotLadder, RatedGame  # noqa: E402
from tournaments.bot_ladder.terms import validate_duplicates, validate_templates  # noqa: E402
from tournaments.duplicates.models import DuplicateGame  # noqa: E402
from tournaments.engine.structure import BlindStructure, Level  # noqa: E402
from tournaments.events import bells  # noqa: E402
from tournaments.locks import DIRECTOR  # noqa: E402
from tournaments.models import Structure, Template, Tournament  # noqa: E402
from tournaments.models.structure import encoded  # noqa: E402
from tournaments.models.tournament import Start  # noqa: E402
from tournaments.overlays import linking  # noqa: E402
from tournaments.overlays.models import Theme  # noqa: E402
from tournaments.running import operations, series  # noqa: E402
from tournaments.schedule import making  # noqa: E402


def make_sessions(path: str, players: str, hours: str = "1") -> None:
    """Create bots and their log-in sessions."""
    minted = minting.mint(bots.create(int(players)), float(hours))
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


def set_street_pause(table: str, pause_ms: str) -> None:
    """Set the pause before each street for the hand in play, in ms; players are being asked."""
    deck_keys.held.load_files()
    for _ in range(20):
        loaded = fenced.load(redis.room(), int(table))
        assert loaded is not None and loaded.state.phase == "hand"
        assert loaded.state.timing is not None
        timing = replace(loaded.state.timing, street_pause_ms=int(pause_ms))
        state = replace(loaded.state, timing=timing)
        if fenced.commit(redis.room(), loaded, state, [], drained=0) is not None:
            return
    raise AssertionError("other writers were first")


def cancel(tournament: str) -> None:
    """Call a tournament off; its tables end with the hand they play."""
    operations.cancel(int(tournament), reason="over")


def make_staff(name: str) -> None:
    """Create a superuser with access to every admin page; print the session."""
    boss = User.objects.create_superuser(name, "correct-horse-battery")
    sys.stdout.write(minting.mint([boss], 1.0)[0][1])


def make_watchers(tournament: str, user: str) -> None:
    """Print a token with every right of a user, and that of a link to a tournament's overlay.

    The token is marked as used tomorrow, and the promotions have their first money, so that looking
    changes no page.
    """
    promotions.account()
    owner = User.objects.get(pk=int(user))
    token = access_tokens.issue(owner, name="held", scopes=access_tokens.SCOPES, days=1)
    used_at = timezone.now() + timedelta(days=1)
    AccessToken.objects.filter(user=owner).update(used_at=used_at)
    actor = User.objects.filter(is_superuser=True).latest("pk")
    _, link = linking.make_link(int(tournament), actor, name="held", theme=Theme.values[0])
    sys.stdout.write(f"{token} {link}")


def make_overlay(tournament: str) -> None:
    """Print the token of a new link to a tournament's overlay, made by an operator of its own."""
    actor = User.objects.create_superuser(f"Overlay.{tournament}", "correct-horse-battery")
    sys.stdout.write(
        linking.make_link(int(tournament), actor, name="watched", theme=Theme.values[0])[1]
    )


def show_due_times(table: str, hands: str) -> None:
    """Write the number of each of the first hands, and when the events of its telling are due."""
    holding.hold_record_key()
    found = []
    for row in Hand.objects.filter(table=int(table)).order_by("number")[: int(hands)]:
        kept = whole_of(row)
        tournament = Tournament.objects.get(pk=kept.game)
        start_ms = max(kept.began_ms + tournament.cards_up_delay_ms, kept.released_ms)
        times = [start_ms, *(start_ms + one.at_ms for one in timeline(kept))]
        found.append((kept.hand, times))
    sys.stdout.write(json.dumps(found))


def make_bot_tokens(path: str, *names: str) -> None:
    """Make bots of an operator, and write a token of each, as their page would show it."""
    owner = User.objects.create_superuser("Bot.Owner", "correct-horse-battery")
    made = [owning.make(owner, name) for name in names]
    Path(path).write_text("\n".join(owning.issue_token(owner, bot.pk, 1) for bot in made))


def make_ladder(players: str, level_hands: str) -> None:
    """Make a ladder of duplicate deals of short Sit & Gos for bots, one after another."""
    levels = [Level(20 * 2**n, 40 * 2**n, lasts_hands=int(level_hands)) for n in range(5)]
    structure = Structure.objects.create(
        name="short",
        items=encoded(BlindStructure((*levels, Level(640, 1_280, lasts_hands=1_000)))),
        starting_stack=400,
    )
    offered = {
        "start": Start.SIT_AND_GO,
        "bots": "only",
        "action_ms": 20_000,
        **dict.fromkeys(("players_min", "players_max", "seats_per_table"), int(players)),
        **dict.fromkeys(("hand_pause_ms", "showdown_pause_ms", "street_pause_ms"), 0),
    }
    ladder = BotLadder.objects.create(name="Duplicates", duplicate=True)
    templates = [
        Template.objects.create(
            name="Short", structure=structure, offer=offered, schedule=Template.Schedule.REFILL
        )
    ]
    for template in templates:
        series.validate_template(template)
    validate_templates(templates)
    validate_duplicates(ladder, templates)
    ladder.templates.set(templates)
    bells.wake(bells.SCHEDULE)
    sys.stdout.write(str(ladder.pk))


def show_sets(ladder: str) -> None:
    """Close a ladder, and print the games of the duplicate sets that it has rated."""
    holding.hold_record_key()
    BotLadder.objects.filter(pk=ladder).update(is_open=False)
    rated = RatedGame.objects.filter(ladder=int(ladder)).values("tournament")
    found = DuplicateGame.objects.filter(duplicates__games__tournament__in=rated)
    games = found.select_related("tournament").order_by("duplicates", "shift")
    seeds = marking.seeds_of(DIRECTOR, [game.tournament_id for game in games])
    shown = []
    for game in games:
        rows = Hand.objects.filter(table__director=DIRECTOR, table__game=game.tournament_id)
        hands = [stored.decode(bytes(row.record)) for row in rows.order_by("number")]
        places = game.tournament.entries.values_list("user", "place")
        shown.append(
            {
                "duplicates": game.duplicates_id,
                "shift": game.shift,
                "seed": seeds[game.tournament_id],
                "decks": ["".join(map(str, hand.setup.deck)) for hand in hands],
                "seats": {seat.user: seat.seat for seat in hands[0].seats},
                "places": dict(places),
            }
        )
    sys.stdout.write(json.dumps(shown))


COMMANDS: dict[str, Callable[..., None]] = {
    "staff": make_staff,
    "sessions": make_sessions,
    "people": sign_people_up,
    "tokens": make_tokens,
    "watchers": make_watchers,
    "overlay": make_overlay,
    "due_times": show_due_times,
    "bot_tokens": make_bot_tokens,
    "ladder": make_ladder,
    "sets": show_sets,
    "offer": offer,
    "street_pause": set_street_pause,
    "cancel": cancel,
}
COMMANDS[sys.argv[1]](*sys.argv[2:])
