"""Tests of log-ins and their sessions."""
