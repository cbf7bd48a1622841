"""A module of players that cannot be imported, for the tests that name it."""

raise RuntimeError("x")
