"""A browser for the page of a game."""

from tests.battlesnake_search.viewer.conftest import page

__all__ = ["page"]
