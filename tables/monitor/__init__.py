"""State of the tables for operators: queues, late wakes, invariants."""
