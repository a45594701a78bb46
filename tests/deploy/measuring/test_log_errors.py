"""Errors in logs: those since a mark, and defects apart from lost servers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from config.environment import HOME
from deploy.measuring.log_errors import LogMarks

FAILING = """
import logging.config
import structlog
from django.conf import settings
from django.db import DataError, OperationalError
from redis.exceptions import ConnectionError as RedisAway

logging.config.dictConfig(settings.LOGGING)
log = structlog.get_logger("test")


def fail(event, *errors):
    try:
        raise ExceptionGroup("some", errors) if len(errors) > 1 else errors[0]
    except Exception:
        log.exception(event)


fail("turn failed", ValueError("the number of cards must be 9"))
fail("turn failed", ValueError("the number of cards must be 9"))
fail("not settled", OperationalError("refused\\n\\tIs the server running on that host?"))
fail("not woken", RedisAway("gone"))
fail("not stored", DataError("out of range\\nDETAIL:  Key (id)=(7)"))
fail("page failed", RedisAway("gone"), KeyError("seat"))
log.error("no exception")
"""


def test_defects_are_told_once_and_no_lost_server(tmp_path: Path) -> None:
    log = tmp_path / "settle0.log"
    log.write_text("")
    marks = LogMarks(tmp_path)
    with log.open("w") as file:
        program = [sys.executable, "-c", f"import django; django.setup()\n{FAILING}"]
        subprocess.run(program, cwd=HOME, stderr=file, stdout=file, check=True)
    assert len(log.read_text().splitlines()) == 7, log.read_text()
    assert marks.take_defects() == [
        "2 times in a log, settle0: turn failed: ValueError: the number of cards must be 9",
        "1 times in a log, settle0: not stored: django.db.utils.DataError: out of range",
        "1 times in a log, settle0: page failed: | KeyError: 'seat'",
    ]
    assert marks.take_defects() == []


def test_only_errors_since_the_a_mark_are_read(tmp_path: Path) -> None:
    log = tmp_path / "play0.log"
    failed = json.dumps({"level": "error", "event": "table state unreadable", "table": 3})
    log.write_text(f"{failed}\n")
    marks = LogMarks(tmp_path)
    assert marks.errors() == {}
    with log.open("a") as file:
        file.write(f"{failed}\nno record\n[1]\n" + json.dumps({"level": "info", "event": "x"}))
    (tmp_path / "web0.log").write_text(json.dumps({"level": "critical", "event": "away"}))
    found = marks.errors()
    assert {event: len(records) for event, records in found.items()} == {
        "table state unreadable": 1, "away": 1,
    }  # fmt: skip
    assert found["away"][0].startswith("web0: ")
