"""Tests of config.redis: addresses, clients and scripts."""
