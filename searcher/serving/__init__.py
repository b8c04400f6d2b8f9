"""The gRPC service: address, reflection, checks, translation, margins, admission, worker threads, server.

It may import everything in the searcher except the tools and the command line.
"""
