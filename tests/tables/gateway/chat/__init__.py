"""Tests of the chat over sockets."""
