"""Posted values of the forms that create tournaments and templates."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django.utils.crypto import get_random_string

from tests.tournaments.cast import structure


def offer_form(**fields: object) -> dict[str, object]:
    """Posted values of the form of a new tournament."""
    tomorrow = timezone.localtime(timezone.now() + timedelta(days=1))
    is_set = fields.get("start", "scheduled") == "scheduled"  # else the page sends no time
    return {
        "structure_row": structure("regular").pk,
        "variant": "omaha",
        "limit": "pot_limit",
        "name": "Evening",
        "start": "scheduled",
        "format": "freezeout",
        "starts_at": tomorrow.strftime("%Y-%m-%dT%H:%M") if is_set else "",
        "start_zone": "UTC",
        "starting_stack": "",
        "seats_per_table": 9,
        "players_min": 2,
        "players_max": 100,
        "buy_in": "10.00",
        "fee": "1",
        "added": 0,
        "guarantee": 0,
        "payout_preset": "classic",
        "action_ms": 15,
        "bank_ms": 60,
        "hand_pause_ms": 1,
        "showdown_pause_ms": 3,
        "street_pause_ms": 1,
        "bubble_places": 1,
        "bubble_final": 0,
        "bubble_charge_ms": 1,
        "tie_rule": "by_stack",
        "repeat_every_s": 0,
        "secret": "",
        "reason": "for the evening",
        "token": get_random_string(22),
    } | fields


def template_form(**fields: object) -> dict[str, object]:
    """Posted values of the form of a template."""
    return {
        name: value
        for name, value in offer_form().items()
        if name not in ("structure_row", "starts_at", "start_zone", "secret", "reason", "token")
    } | {
        "name": "Nightly", "structure": structure().pk, "start": "sit_and_go", "buy_in": 3,
        "variant": "holdem", "limit": "no_limit", "schedule": "weekly", "weekdays": ["0", "5"],
        "at_time": "20:00", "zone": "Europe/Berlin", "announce_h": 24, "is_active": "on",
    } | fields  # fmt: skip
