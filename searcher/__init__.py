"""The searcher: a gRPC service that searches Battlesnake positions, and its command line.

From the ground up: engine, interface, toolkit, evaluators, plugins, strategies, session, move_body,
bench_positions and errors, trials, precompile, serving, tools, __main__. A module imports only from below.
"""
