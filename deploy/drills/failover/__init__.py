"""Failover drills: servers lost for good while bots play, measured and judged."""
