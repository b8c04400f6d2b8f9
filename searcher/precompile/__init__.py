"""Compiling strategies ahead of the searches that need them: parts, child processes, progress, warm-up.

It may import the engine, the interface, the plug-ins, the strategies, sessions, errors and trials.
"""
