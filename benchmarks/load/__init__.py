"""The capacity of a core: its search depth with more and more games at once."""
