"""Players of the games, and what trains and measures them."""
