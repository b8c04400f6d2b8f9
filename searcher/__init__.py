"""The searcher: a gRPC service that searches Battlesnake positions, and its command line.

The layers from the ground up, each importing only from earlier ones: engine, errors; interface, positions;
toolkit; evaluators; plugins; strategies; session, trials; precompile; serving; tools; health, commands. Only
the command line imports the textbook.
"""
