"""Drill that plays every format and option once and judges each report."""
