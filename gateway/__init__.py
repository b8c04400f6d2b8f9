"""The HTTP service: it answers the Battlesnake API in time, with moves that a searcher finds over gRPC.

docs/architecture.md lists its parts, and what each of them may import.
"""
