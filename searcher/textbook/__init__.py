"""Minimax as the books write it: readable, typed Python over any game, with no compiled code.

Read it in this order; each chapter adds one idea to those before:

1. `game`: what a game is; `tictactoe`, `nim` and `battlesnake` are games.
2. `minimaxing`: from "take a winning move" to the best result of any position; `agents` play by it.
3. `backtracking`: the same on one board, with make and unmake and an explicit stack.
4. `decay`: win soon, lose late.
5. `scores`, `limited`: stop at a depth and ask an evaluator.
6. `paranoid`, `alphabeta`, `maxn`: more than two players, and subtrees nobody needs to look at.
7. `inturn`, `matrix`, `atonce`: players who move at the same time.

docs/minimax.md walks through them with pictures.
"""
