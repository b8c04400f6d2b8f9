"""Analyses of positions: what people ask, and what searchers answer. It knows no HTTP."""
