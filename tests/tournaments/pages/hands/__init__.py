"""Tests of pages and files of finished hands: each viewer gets the permitted cards."""
