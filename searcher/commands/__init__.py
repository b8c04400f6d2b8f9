"""The searcher's command line: one file for each command. Each imports only what it needs, to start fast.

May import everything else of the searcher.
"""
