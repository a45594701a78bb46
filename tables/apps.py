"""Tables app: hands, streams and the workers that play them."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TablesConfig(AppConfig):
    """App of tables, seats and finished hands."""

    name = "tables"
    verbose_name = _("Tables")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register chats, the notification of a turn, gauges, and a check of the start."""
        from accounts.notifications import kinds
        from accounts.retention import kinds as aging
        from accounts.stored_files import folders
        from config import metrics
        from config.process import server_checks
        from tables.conduct.warnings.notices import PlayerWarned
        from tables.gateway import chat
        from tables.gateway.streams import known_kinds
        from tables.monitor import condition
        from tables.monitor.away_turns import MY_TURN
        from tables.records import archive, archiving
        from tables.store.endless import ClosedTables, EndlessStreams
        from tables.workers import database_gate, decided, other_rooms

        chat.register_table_chats()
        known_kinds.add_events(known_kinds.OWN, (PlayerWarned,))
        kinds.register(MY_TURN)
        aging.register(EndlessStreams(), ClosedTables(), decided.SHOWN)
        folders.register(folders.StoredFolder(archive.FOLDER, archiving.named))
        metrics.at_every_look(condition.gauges)
        server_checks.on_start(other_rooms.find_other_room)
        server_checks.on_start(other_rooms.find_other_broker)
        server_checks.on_start(other_rooms.find_other_division)
        server_checks.on_verified(database_gate.close_for)
