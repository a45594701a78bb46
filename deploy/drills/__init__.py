"""Drills: load, attack, chaos, formats and several machines, each measured and judged."""
