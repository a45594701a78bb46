"""Tests of log-ins by other providers."""
