"""What people and programs type: whole numbers and free texts, checked before use (pure)."""
