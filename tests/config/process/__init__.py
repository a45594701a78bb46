"""Tests of config.process: what a process needs before and while it runs."""
