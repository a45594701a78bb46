"""Static files under names with a hash of their content, modules of the browser included."""

from __future__ import annotations

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns[1]  # type: ignore[attr-defined]


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Storage that also writes hashed names into the imports between modules below `js/`.

    The hash of a module covers those names, so a change of a module gives a new name to it and to
    all modules that import it, and to no other.
    """

    support_js_module_import_aggregation = True
    # Scripts of libraries are left alone: some have an import in a comment that names no file.
    _js_module_import_aggregation_patterns = ("js/*.js", _IMPORTS)
    # Names settle from the imported module to its importers: one pass for each import of the
    # longest chain, 10 today.
    max_post_process_passes = 30
