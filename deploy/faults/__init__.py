"""Faults done to a room: killed processes, cut connections, partitions, by a schedule."""
