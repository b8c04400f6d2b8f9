"""The mark of games that check or measure a snake. They are played like other games, but not counted."""

TEST_GAME_PREFIX = "test-"
"""The prefix of the ids of such games. Ids of real games are UUIDs and never begin with it."""
