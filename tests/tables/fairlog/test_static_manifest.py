"""Digest of the static files in the leaf of the keys."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import LazySettings
from django.contrib.staticfiles.storage import staticfiles_storage

from tables.fairlog.log_keys import static_manifest
from tables.fairness.encoding import ZEROS

HASHED = {"BACKEND": "config.files.hashed_names.HashedStaticFiles"}


def test_the_digest_covers_the_hashed_names_of_this_release(
    settings: LazySettings, tmp_path: Path
) -> None:
    assert static_manifest() == ZEROS, "files under their own names"
    settings.STATIC_ROOT = str(tmp_path)
    settings.STORAGES = {**settings.STORAGES, "staticfiles": HASHED}
    assert static_manifest() == ZEROS, "nothing is gathered"
    gathered: Any = staticfiles_storage
    gathered.hashed_files = {"b.js": "b.1.js", "a.css": "a.2.css"}
    gathered.save_manifest()
    (tmp_path / "staticfiles.0123456789abcdef.json").write_text('{"paths": {}, "version": "1.1"}')
    settings.STATIC_ROOT = str(tmp_path)  # the list is read again, as a new process does
    assert static_manifest() == sha256(b"a.css a.2.css\nb.js b.1.js\n").digest()
