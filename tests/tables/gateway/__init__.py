"""Tests of the sockets: protocol, feeds, floods, resumes."""
