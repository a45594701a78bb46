"""Start of processes that read finished hands: which keys of months each holds."""

from __future__ import annotations

import structlog
from django.conf import settings
from django.db import Error

from config.environment import KeyFileMissing
from tables.models import Hand
from tables.records import stored
from tables.records.month_keys import BurntMonth, own_keys, record_keys

log = structlog.get_logger(__name__)


def hold_all() -> None:
    """Read both keys of a worker that settles, and compare them with those of the newest hand.

    Raises environment.KeyFileMissing, or NoMonthKey for keys of another room.
    """
    record_keys.load_file()
    own_keys.load_file()
    try:
        newest = Hand.objects.order_by("-pk").values_list("record", flat=True).first()
    except Error as error:
        # A record under another key is refused when it is read all the same.
        log.warning("record keys not compared: no database", error=str(error))
        return
    names = None if newest is None else stored.key_names(bytes(newest))
    if names is None:
        return
    month, record_name, own_name = names
    try:
        record_keys.named(month, record_name)
        own_keys.named(month, own_name)
    except BurntMonth:
        return  # no hand was played since


def hold_record_key() -> None:
    """Read the record key of a process that shows whole hands; raises KeyFileMissing."""
    record_keys.load_file()


def hold_for_pages() -> None:
    """Read the keys of a web process: own cards, and whole hands where the room says so.

    A key that is missing holds nothing up: pages say what they cannot show.
    """
    wanted = [own_keys, record_keys] if settings.SEE_HOLE_CARDS else [own_keys]
    for keys in wanted:
        try:
            keys.load_file()
        except KeyFileMissing as missing:
            log.warning("pages without a key", key=keys.name, why=str(missing))
