"""Tests of streams over sockets: every event once and in order, whatever is lost."""
