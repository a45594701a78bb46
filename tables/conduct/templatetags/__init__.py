"""Template tags of conduct."""
