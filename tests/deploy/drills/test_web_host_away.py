"""Web host that is away while the sharing of its files is judged."""

from __future__ import annotations

from deploy.embedded import ports
from deploy.measuring.shared_files import verify_shared_files


def test_a_web_host_that_is_away_is_a_violation_and_no_end_of_the_report() -> None:
    host = f"http://127.0.0.1:{ports.free()}"
    found = verify_shared_files([host], "no session")
    assert (found["hosts"], found["read"]) == (1, 0)
    uploaded, removed = found["violations"]
    assert uploaded.startswith(f"picture uploaded at {host}: ")
    assert removed.startswith(f"picture not removed at {host}: ")
