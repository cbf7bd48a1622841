"""Players without learning, a page for each game."""
