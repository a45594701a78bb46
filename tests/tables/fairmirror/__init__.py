"""Tests of the script that mirrors the log of a room."""
