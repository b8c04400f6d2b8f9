"""The searchers that a gateway calls over gRPC: clients, the pool of them, and the embedded searcher.

Imports gateway.bodies, gateway.reflex and protos.
"""
