"""The HTTP service: it answers the Battlesnake API in time, with moves that a searcher finds over gRPC.

Layers, each of which imports only those before it: bodies and reflex; searchers; routes; moves; outcomes;
games and experiments; metrics; probes and webhooks; admin; app; commands. Of our other packages it imports
protos, commandline, estimation and viewer.
"""
