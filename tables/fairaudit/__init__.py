"""Audit of finished hands from outside the room: secret, seal, cut, deck, record, log, engines."""
