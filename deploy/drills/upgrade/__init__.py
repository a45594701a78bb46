"""Upgrade drill: all processes of a playing room replaced by another release, and back again."""
