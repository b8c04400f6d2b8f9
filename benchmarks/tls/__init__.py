"""TLS and tokens between a gateway and its searchers: what they cost, and their replacement during calls."""
