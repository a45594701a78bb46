"""Watching tournaments: the auditor, gauges and reports."""
