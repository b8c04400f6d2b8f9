"""The searcher: a gRPC service that searches Battlesnake positions, and its command line.

The layers from the ground up, each importing only from those before it: engine, errors; interface,
positions; toolkit; evaluators; plugins; strategies; session, trials; precompile; serving; tools; health,
commands. The textbook stands apart: only the command line imports it.
"""
