"""Requests to servers that nobody here runs: checked addresses, no redirects, a bounded time."""
