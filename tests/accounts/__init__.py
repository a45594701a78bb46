"""What the accounts promise: users, sessions, and money that adds up."""
