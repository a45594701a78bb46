"""Rules of conduct: figures of one hand, and the signs that added figures give (pure)."""
