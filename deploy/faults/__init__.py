"""Faults of a room: killed processes, cut connections, partitions, by a schedule."""
