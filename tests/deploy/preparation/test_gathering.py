"""Static files that several processes gather into one folder."""

from __future__ import annotations

import fcntl
from concurrent.futures import ThreadPoolExecutor, TimeoutError
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from deploy.preparation import room as preparation


def test_a_second_process_waits_for_the_one_that_gathers_and_has_nothing_left_to_do(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "page.js").write_text("export {};\n")
    settings.STATICFILES_DIRS = [tmp_path / "sources"]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = str(tmp_path / "root")
    (tmp_path / "root").mkdir()
    told: list[str] = []
    with (tmp_path / "root" / "gathering").open("w") as lock, ThreadPoolExecutor(1) as second:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = second.submit(preparation.gather_static, told.append)
        with pytest.raises(TimeoutError):
            waiting.result(timeout=1)
        assert told == [] and not (tmp_path / "root" / "page.js").exists()
        fcntl.flock(lock, fcntl.LOCK_UN)
        waiting.result(timeout=30)
    assert (tmp_path / "root" / "page.js").exists()
    preparation.gather_static(told.append)
    assert told == ["gathering static files"]
