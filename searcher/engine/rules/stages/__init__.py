"""The stages of a turn, one file each; `turn.play` lists them in the official order.

A stage is a compiled function of the game, the board that it changes, and the joint move. Stages ignore dead
snakes. They import `rules.board`, `rules.joint`, `rules.records` and `jit`.
"""
