"""Evaluators as plug-ins: discovering them, checking their declarations, and reporting their faults.

It may import the engine, the interface and the evaluators.
"""
