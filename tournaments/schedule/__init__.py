"""What is offered: options, their contradictions, and making tournaments of them."""
