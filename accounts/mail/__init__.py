"""Mail: addresses of users, and what goes to them."""
