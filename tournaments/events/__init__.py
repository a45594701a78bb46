"""Events of tournaments: unit of work, outbox, event types by subject, and bells."""
