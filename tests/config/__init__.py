"""The house itself: its doors, settings, catalogs and health."""
