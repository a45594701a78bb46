"""One file per command of manage.py."""
