"""The gRPC service: address, request checks, translation, timetable, worker threads, server.

It may import everything in the searcher except the tools and the command line.
"""
