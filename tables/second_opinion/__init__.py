"""Second opinion on hands: pokerkit, of the development libraries, plays them again."""
