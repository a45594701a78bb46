"""Fields of a spin for three players."""

from __future__ import annotations

SPIN = {"format": "spin", "players_min": 3, "players_max": 3, "seats_per_table": 3}
