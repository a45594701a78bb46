"""Overlays: links of an organiser to transparent pages that a stream lays over its picture."""
