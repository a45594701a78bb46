"""Static files under names with a hash of their content, modules of the browser included."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns[1]  # type: ignore[attr-defined]


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Storage that also writes hashed names into the imports between modules below `js/`.

    The hash of a module covers those names, so a change of a module gives a new name to it and to
    all modules that import it, and to no other.

    The list of names is a file of its own for each content of the sources: a web process that is
    started again while another release has gathered its files serves the names of its own.
    """

    support_js_module_import_aggregation = True
    # Scripts of libraries are left alone: some have an import in a comment that names no file.
    _js_module_import_aggregation_patterns = ("js/*.js", _IMPORTS)
    # Names settle from the imported module to its importers: one pass for each import of the
    # longest chain, 10 today.
    max_post_process_passes = 30
    _written: set[str] | None = None

    def post_process(self, *args: Any, **options: Any) -> Iterator[Any]:
        """Give every file its hashed name; those of other releases stay as they are.

        Django deletes the file of each name that a module has in one pass and not in the next. Such
        a name may be the right one of another release.
        """
        self._written = set()
        yield from super().post_process(*args, **options)
        self._written = None

    def delete(self, name: str) -> None:
        """Delete a file; while names are given only what was written meanwhile."""
        if self._written is None or name in self._written:
            super().delete(name)

    def _save(self, name: str, content: Any) -> str:
        if self._written is not None:
            if self.exists(name):
                content.seek(0)
                with self.open(name) as file:
                    if file.read() == content.read():
                        return name
                content.seek(0)
                super().delete(name)  # cut off by an earlier end
            self._written.add(name)
        saved: str = super()._save(name, content)
        return saved

    def read_manifest(self) -> str | None:
        """Return the list of names for these sources, else the one that was gathered last."""
        self.manifest_name = _manifest_of_sources()
        found: str | None = super().read_manifest()
        if found is not None:
            return found
        lists = Path(self.manifest_storage.location).glob("staticfiles*.json")
        newest = max(lists, key=lambda path: path.stat().st_mtime, default=None)
        return None if newest is None else newest.read_text()

    def save_manifest(self) -> None:
        """Write the list of names for these sources; those of other releases stay."""
        self._written = None
        self.manifest_name = _manifest_of_sources()
        super().save_manifest()


def _manifest_of_sources() -> str:
    """Return the name of the list of names, from paths and contents of all static files."""
    contents: dict[str, bytes] = {}
    for finder in get_finders():
        for path, storage in finder.list([]):
            if path not in contents:  # of files with one path the first one is gathered
                contents[path] = hashlib.sha256(Path(storage.path(path)).read_bytes()).digest()
    digest = hashlib.sha256()
    for path in sorted(contents):
        digest.update(path.encode() + b"\0" + contents[path])
    return f"staticfiles.{digest.hexdigest()[:16]}.json"
