"""Measurements of a room from outside: processor time, memory, counters, streams."""
