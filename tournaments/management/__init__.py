"""Commands for operators of tournaments."""
