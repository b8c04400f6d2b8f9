"""Battlesnake by the official rules, as a game for the searches of this book.

`board` is the state, `rules` one turn, `moves` what is worth trying, `game` all of it as a Game, and
`territory` an evaluator.
"""
