"""Webhooks: events of tournaments told to registered addresses, signed, in order, with retries."""
