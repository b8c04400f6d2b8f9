"""The HTTP service: it answers the Battlesnake API in time, with moves that a searcher finds over gRPC.

docs/architecture.md lists its parts and the imports that each part may have.
"""
