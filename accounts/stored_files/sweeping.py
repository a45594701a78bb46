"""Loop that removes orphan files, beside the other slow work with outside services."""

from __future__ import annotations

import asyncio

import structlog
from asgiref.sync import sync_to_async
from django.db import connection

from accounts.stored_files.orphans import are_most, remove_orphans

log = structlog.get_logger(__name__)

SWEEP_EVERY_S = 3_600.0


async def sweep() -> None:
    """Remove orphan files every hour until cancelled."""
    while True:
        await sync_to_async(sweep_once, thread_sensitive=False)()
        await asyncio.sleep(SWEEP_EVERY_S)


def sweep_once() -> None:
    """Remove orphan files unless most files are; what fails is asked again an hour later."""
    try:
        if are_most():
            log.error("most stored files have no row: restore the database that names them")
        else:
            remove_orphans()
    except Exception as error:  # storages of several makers fail with errors of their own
        log.warning("orphan files stay", error=str(error))
    finally:
        connection.close()  # needed again in an hour
