"""Tests of the outbox and the wakes."""
