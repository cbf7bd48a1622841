"""Players, tournaments and the command line."""
