"""Minimax as textbooks write it: readable, typed Python over any game, with no compiled code.

The package teaches the algorithms and is the oracle that the tests of the compiled searches compare with. It
imports only the standard library and itself, plus click for the game in the terminal; nothing else of this
project.

Read it in this order; each chapter adds one idea to the previous ones:

1. `game`: what a game is; `tictactoe`, `nim` and `battlesnake` are games.
2. `minimax`: from "take a winning move" to the best result of any position; `agents` play by it.
3. `backtracking`: the same search on one board, with make, unmake and an explicit stack.
4. `depth_decay`: win early, lose late.
5. `score`, `depth_limited`: stop at a depth and ask an evaluator.
6. `paranoid`, `alphabeta`, `maxn`: more than two players, and subtrees that need no search.
7. `sequential`, `matrix`, `simultaneous`: players who move at the same time.

docs/minimax.md walks through them with pictures.
"""
