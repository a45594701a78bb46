"""Names of the tabs of a tournament page."""

from __future__ import annotations

TABS = ("overview", "players", "tables", "chips", "levels", "payouts", "rules")
