"""What operators do with accounts from a shell."""
