"""Encoded pictures in folders of the one storage, each under a key that is never used again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import structlog
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from accounts.stored_files.refusals import FilesUnavailable, PicturesTooFast
from config import entropy, limits
from config.door.rates import Rate
from config.files.away import FileAway

log = structlog.get_logger(__name__)

UPLOADS = Rate("face-uploads", limits.PICTURES_BURST, limits.PICTURES_PER_MINUTE)
"""Pictures that a player uploads, over all web processes."""

_ENDING = ".webp"


def count_upload(user: int) -> None:
    """Count an upload of a player; raises PicturesTooFast."""
    if wait_s := UPLOADS.take(str(user)):
        raise PicturesTooFast(wait_s=math.ceil(wait_s))


@dataclass(frozen=True, slots=True)
class PictureFolder:
    """Folder of pictures of one kind."""

    name: str

    @contextmanager
    def stored(self, picture: bytes) -> Iterator[str]:
        """Store a picture and give its key to the block that names it in a row.

        Raises FilesUnavailable. A block that fails leaves no file.
        """
        key = entropy.name()
        # The file before the row: what a row names is there.
        self.put(key, picture)
        try:
            yield key
        except BaseException:
            self.delete(key)
            raise

    def put(self, key: str, picture: bytes) -> None:
        """Store a picture under a key that was never used; raises FilesUnavailable."""
        path = self.path(key)
        try:
            stored = default_storage.save(path, ContentFile(picture))
        except Exception as error:  # storages of several makers fail with errors of their own
            log.exception("picture not stored", path=path)
            raise FilesUnavailable from error
        assert stored == path, "a key of 128 random bits is new"

    def read(self, key: str) -> bytes | None:
        """Return a picture; None when its file is gone, e.g. after a restore without the files.

        Raises FileAway while the storage does not answer.
        """
        try:
            with default_storage.open(self.path(key)) as file:
                return bytes(file.read())
        except FileNotFoundError:
            log.warning("file of a picture is missing", path=self.path(key))
            return None
        except Exception as error:  # as in `put`
            raise FileAway(self.path(key)) from error

    def delete(self, key: str) -> None:
        """Delete a picture; one that cannot be deleted is logged, nothing refers to it any more."""
        try:
            default_storage.delete(self.path(key))
        except Exception as error:
            log.warning("file of a picture stays", path=self.path(key), error=str(error))

    def delete_after_commit(self, key: str) -> None:
        """Delete a picture once no reader can find its row."""
        transaction.on_commit(partial(self.delete, key), robust=True)

    def path(self, key: str) -> str:
        """Return the name of a picture's file in the storage."""
        return f"{self.name}/{key}{_ENDING}"

    def key_of(self, path: str) -> str:
        """Return the key of a picture by the name of its file, in the storage or in the folder."""
        return path.removeprefix(f"{self.name}/").removesuffix(_ENDING)

    def names_of(self, keys: Iterable[str]) -> set[str]:
        """Return the names of the files of some keys in the folder."""
        return {f"{key}{_ENDING}" for key in keys}
