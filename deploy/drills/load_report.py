"""Figures of a load run as its clients saw them, and the goals they are held to."""

from __future__ import annotations

from typing import Any

from deploy.measuring.swarm_notes import Seen

PLEDGES_SHARE = 0.995
"""Least share of called pledges that are opened before the deal."""
P99_MS_MOST = 100
LARGE_FIELD, LARGE_P99_MS_MOST = 10_000, 250
"""In larger fields than this, players wait longer at most."""
JOIN_LATE = 1.25
"""Joining may take so many times the time that it was given."""


def client_figures(seen: Seen, seconds: float) -> dict[str, Any]:
    """Return rates and times of what the clients saw in these seconds."""
    return {
        "seconds": round(seconds, 1),
        "decisions_per_s": round(seen.counts["decisions"] / seconds, 1),
        "frames_per_s": round(seen.counts["frames"] / seconds, 1),
        "bytes_per_s": round(seen.counts["bytes"] / seconds),
        "pages_per_s": round(seen.counts["pages"] / seconds, 1),
        "requests_per_s": round(seen.counts["requests"] / seconds, 1),
        "requests_failed": seen.counts["requests_failed"] + seen.counts["pages_failed"],
        "chats_per_s": round(seen.counts["chats"] / seconds, 1),
        "action_to_event_ms": seen.latency.summary(),
        "swarm_late_ms": seen.lateness.summary(),
        "timed_out": seen.counts["timed_out"],
        "reconnects": seen.counts["reconnects"],
        "snapshots": seen.counts["snapshots"],
    }


def goals_met(report: dict[str, Any]) -> dict[str, bool]:
    """Return which goals a report meets, by their words."""
    swarms = report["swarm"].values()
    most_ms = LARGE_P99_MS_MOST if report["players"] > LARGE_FIELD else P99_MS_MOST
    join_s = JOIN_LATE * report["join_s"]
    goals = {
        f"p99 below {most_ms} ms": _is_below(report["human"], most_ms),
        f"joined within {join_s:g} s": report["joined_s"] <= join_s,
        "nobody timed out": report["human"]["timed_out"] == 0,
        "no violation seen": not any(swarm["violations_seen"] for swarm in swarms),
        "no crash, no defect in a log": not report["defects"],
    }
    if not report["research"]:
        share = report["human"]["pledges"]["share"] or 0
        goals["pledges opened in time"] = share >= PLEDGES_SHARE
    if api := report["human"].get("api"):
        goals["every request to the API answered"] = set(api["statuses"]) == {"200"}
    if cancelled := report.get("cancelled"):
        through = (report["started"], cancelled)
        goals[f"p99 below {most_ms} ms through start and cancelling"] = all(
            figures["action_to_event_ms"]["count"] == 0 or _is_below(figures, most_ms)
            for figures in through
        )
        goals["every entry refunded"] = cancelled["refunded"] == cancelled["entries"]
    if ring := report.get("ring"):
        goals["ring games raked, audit clean"] = bool(ring["rake"]) and not ring["violations"]
    return goals


def _is_below(figures: dict[str, Any], most_ms: int) -> bool:
    p99 = figures["action_to_event_ms"]["p99"]
    return p99 is not None and p99 < most_ms
