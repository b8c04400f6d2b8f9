"""The gateway's command line: one file for each command, with few imports for a fast start.

May import all other parts of the gateway.
"""
