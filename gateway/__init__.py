"""The HTTP service: it answers the Battlesnake API in time, with moves that a searcher finds over gRPC.

Layers, each of which imports only those before it: bodies, reflex and logs; searchers; routes; moves;
outcomes; experiments; metrics; probes and webhooks; app; __main__. Of our other packages it imports protos
and estimation.
"""
