"""Tests of the files for Compose, Kubernetes and systemd, compared with the roster."""
