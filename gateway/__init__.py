"""The HTTP service: it answers the Battlesnake API in time, with moves that a searcher finds over gRPC.

Layers, each of which imports only those before it: bodies, reflex and log_lines; searchers; routes; moves;
outcomes; experiments; metrics; probes and webhooks; app; commands. Of our other packages it imports protos,
commandline and estimation.
"""
