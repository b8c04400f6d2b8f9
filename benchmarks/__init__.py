"""Benchmarks and acceptance runs of the whole system, each a command: python -m benchmarks.NAME.

They may import every package, including tests.support. Only tests/benchmarks imports them.
"""
