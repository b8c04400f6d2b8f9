"""Compilation with Numba: the cache of machine code, functions called by address, memory and sets of cells.

Imports Numba, LLVM and `position`, and nothing else of ours.
"""
