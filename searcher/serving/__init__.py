"""The gRPC service: address, reflection, checks, translation, margins, timetable, worker threads, server.

It may import everything in the searcher except the tools and the command line.
"""
