"""Tools behind the searcher's commands: analysis, benchmark, suite, conformance check.

They may import everything in the searcher except the command line.
"""
