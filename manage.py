#!/usr/bin/env python3
"""Command line of the room's operator."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from config.process import away_servers, crashes  # isort: skip - says where libraries are
    from django.core.management import execute_from_command_line

    crashes.leave_no_memory()
    try:
        execute_from_command_line(sys.argv)
    except Exception as failed:
        sentence = away_servers.sentence_of(failed)
        if not sentence or "--traceback" in sys.argv:
            raise
        sys.exit(f"Error: {sentence}")


if __name__ == "__main__":
    main()
