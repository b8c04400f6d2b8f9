"""Battlesnake by the official rules, as a game for the searches of this textbook.

`board` holds the state, `rules` plays one turn, `moves` lists the moves worth trying, `game` combines them
into a Game, and `territory` is an evaluator.
"""
