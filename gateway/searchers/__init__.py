"""The searchers that a gateway calls over gRPC: the pool of their clients, and the embedded searcher.

The client is `battlesnake_search.searcher_client`. It retries searches and keeps their deadlines.
`battlesnake_search.channels` has its connections, with TLS and tokens.
"""
