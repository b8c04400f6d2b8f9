"""The searchers that a gateway calls over gRPC: the pool of them, and the embedded searcher."""
