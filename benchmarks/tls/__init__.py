"""TLS and tokens between a gateway and its searchers: their cost, and their replacement during calls."""
