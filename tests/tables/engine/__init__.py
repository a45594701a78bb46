"""What the hand engine promises."""
