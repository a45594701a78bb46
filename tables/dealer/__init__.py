"""What happens at a table around its hands, as pure functions."""
