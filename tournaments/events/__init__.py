"""Events of tournaments: outbox, event types by subject, and bells."""
