"""A move-by-move simulation of searchers under an autoscaler."""
