"""Monitoring of tournaments: auditor, gauges and reports."""
