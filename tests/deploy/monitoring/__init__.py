"""Tests of alerts, dashboard and runbook."""
