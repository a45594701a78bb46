"""Steps of staff that a second person has to approve: large credits, and rights of accounts."""
