"""The mark of games that check or measure a snake: they are played like any other, but count for nothing."""

TEST_GAME_PREFIX = "test-"
"""How the ids of such games start. The ids of real games are UUIDs, which never start like this."""
