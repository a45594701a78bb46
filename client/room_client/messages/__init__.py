"""Messages of the room, one struct each. Written by `manage.py protocol_docs`."""

from __future__ import annotations
