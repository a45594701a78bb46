"""Tests of rapid pools on real servers."""
