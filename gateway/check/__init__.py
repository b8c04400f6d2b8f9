"""The check whether a gateway would work.

Imports gateway.app, gateway.options, gateway.outcomes, gateway.routes and gateway.searchers.
"""
