"""Events of tournaments: the outbox, event types by subject, and the bells."""
