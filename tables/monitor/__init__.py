"""The state of the tables for operators: queues, late wakes, laws."""
