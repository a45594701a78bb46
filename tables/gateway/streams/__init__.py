"""Followed streams: what one web process reads of them, and how it reaches each follower."""
