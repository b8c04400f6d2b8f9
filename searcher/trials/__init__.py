"""Trials of evaluators: each is compiled and run on fixed positions, in a child process, before it plays.

They may import the engine, the interface, the evaluators, the plug-ins, the strategies and bench positions.
"""
