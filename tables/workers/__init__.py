"""Workers that play tables: advance, settle, recover, ring bells, keep time."""
