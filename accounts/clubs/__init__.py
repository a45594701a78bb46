"""Clubs: rules of roles, and the steps of members, invitations and requests."""
