"""Options of tournaments in the admin: form fields, units, prizes, payout tables."""
