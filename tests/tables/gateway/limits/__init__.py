"""Tests of floods and invalid messages at sockets, and of the limits against them."""
